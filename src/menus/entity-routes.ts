import { Type } from '../support/shape/type.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Queryable } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import { isStorableText } from '../support/shape/values.js';
import { StoreParams } from '../tenants/routes.manage.js';
import type { StockedKind } from './kinds.js';
import { createListing } from './publish/entities.sql.js';

/** What the routes of one entity of the current menu have in common. */

export const entityParams = (example: string) =>
  Type.Object({
    ...StoreParams.properties,
    external_id: Type.String({ description: 'The external_id, percent-encoded', examples: [example] }),
  });

export interface EntityCall {
  readonly store: RequestedStore;
  readonly params: { readonly external_id: string };
}

/** Finds the entity that a request names; 404 where the menu does not list it. */
export function createEntityCheck(db: Queryable): (kind: StockedKind) => (call: EntityCall) => Promise<void> {
  const isListed = createListing(db);
  return (kind) =>
    async ({ store: { storeKey, menu }, params: { external_id: externalId } }) => {
      const ask = { storeKey, version: menu.version, kind, externalId };
      if (!isStorableText(externalId) || !(await isListed(ask)))
        throw new NotFound(kind === 'item' ? 'Item' : 'Modifier item');
    };
}
