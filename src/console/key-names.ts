import { json } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { MapOf } from '../support/shape/common-shapes.js';
import { Type } from '../support/shape/type.js';
import { listKeyNames } from '../tenants/keys.sql.js';

/** Names of keys for the console, since changes are recorded with key ids. */
export function keyNamesRoute(): Route {
  return route('GET', '/console/api/key_names', 'list_key_names', {
    tag: 'Console',
    summary: 'List what keys are called',
    permission: 'kitchen:read',
    responses: [{ status: 200, description: 'Names by id', schema: MapOf(Type.String()) }],
    handler: async ({ db, principal }) => {
      const merchantId = principal.kind === 'operator' ? undefined : principal.merchantId;
      const keys = await listKeyNames(db, merchantId);
      const names = keys.map(({ id, label, last_four: end, is_operator: isOperator }) => {
        // Merchants do not see the labels of operator keys.
        if (isOperator && merchantId !== undefined) return [id, 'The operator'];
        return [id, label ?? `Key …${end}`];
      });
      return json(Object.fromEntries(names));
    },
  });
}
