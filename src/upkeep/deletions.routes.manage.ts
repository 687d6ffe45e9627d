import type { Logger } from 'pino';
import { Type } from '../support/shape/type.js';
import { problem } from '../http/errors.js';
import { noContent } from '../http/response.js';
import { route, storeRoute, type Route } from '../http/route.js';
import type { Database } from '../postgres/database.js';
import { StoreParams } from '../tenants/routes.manage.js';
import { removeDeletedStores } from './cleanup.js';
import { deleteMerchant, deleteStore } from './deletions.js';
import { ofMerchant } from './routes.manage.js';

const Forced = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'Delete even if there are orders, and the orders too', examples: [false] }),
  ),
});

/** Deletions are logged; the remaining rows are removed in the background. */
export function deletionRoutes(db: Database, log: Logger): Route[] {
  const finish = (what: Readonly<Record<string, string | boolean>>, sentence: string) => {
    log.info(what, sentence);
    // If it fails, the next cleanup continues.
    removeDeletedStores(db).catch((error: unknown) =>
      log.debug({ err: error }, 'The removal will continue later'),
    );
    return noContent();
  };
  return [
    storeRoute('DELETE', '/manage/v1/stores/{store_id}', 'delete_store', {
      tag: 'Stores',
      summary: 'Delete a store',
      description:
        'Permanent. The store is gone from the next request on; its menus, orders and events are removed in the ' +
        'background. A store with orders is deleted only with `force`. Ids are never ' +
        'reused.',
      permission: 'operator',
      params: StoreParams,
      query: Forced,
      responses: [{ status: 204, description: 'The store is deleted' }, problem(409, 'The store has orders')],
      handler: async ({
        db: own,
        store: { id, merchantId },
        principal,
        query: { force: isForced = false },
      }) => {
        await own.transaction((tx) => deleteStore(tx, { id, keyId: principal.id, isForced }));
        const what = { store_id: id, merchant_id: merchantId, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A store was deleted');
      },
    }),
    route('DELETE', '/manage/v1/merchants/{merchant_id}', 'delete_merchant', {
      ...ofMerchant,
      summary: 'Delete a merchant',
      description:
        'Permanent. Deletes its stores and keys too; the keys stop working with the next request. A merchant whose stores have ' +
        'orders is deleted only with `force`.',
      query: Forced,
      responses: [
        { status: 204, description: 'The merchant is deleted' },
        problem(409, 'A store of the merchant has orders'),
      ],
      handler: async ({
        db: own,
        principal,
        params: { merchant_id: id },
        query: { force: isForced = false },
      }) => {
        await own.transaction((tx) => deleteMerchant(tx, { id, keyId: principal.id, isForced }));
        const what = { merchant_id: id, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A merchant was deleted');
      },
    }),
  ];
}
