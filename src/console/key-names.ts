import Type from 'typebox';
import { json } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { listKeyNames } from '../tenants/keys.sql.js';

/** What those who work with the console call each other's keys: a change is recorded with the id of the key alone. */
export function keyNamesRoute(): Route {
  return route({
    method: 'GET',
    path: '/console/api/key_names',
    operationId: 'list_key_names',
    tag: 'Console',
    summary: 'List what keys are called',
    permission: 'read',
    answers: [{ status: 200, description: 'Names by id', schema: Type.Record(Type.String(), Type.String()) }],
    handler: async ({ db, principal }) => {
      const merchantId = principal.kind === 'operator' ? undefined : principal.merchantId;
      const keys = await listKeyNames(db, merchantId);
      const names = keys.map(({ id, label, last_four: end, is_operator: isOperator }) => {
        // What operators call their own keys is no business of a merchant.
        if (isOperator && merchantId !== undefined) return [id, 'The operator'];
        return [id, label ?? `Key …${end}`];
      });
      return json(Object.fromEntries(names));
    },
  });
}
