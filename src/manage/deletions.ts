import type { Logger } from 'pino';
import Type from 'typebox';
import type { Database } from '../db/database.js';
import { noContent } from '../http/answer.js';
import { Problem } from '../http/errors.js';
import { findMerchant } from '../http/find-resource.js';
import { route, storeRoute, type Route } from '../http/route.js';
import { deleteMerchant, deleteStore, emptyDeletedStores } from '../operations/deletions.js';
import { MerchantParams } from './merchants.js';
import { StoreParams } from './stores.js';

const Forced = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'Also when there are orders, which are deleted too', examples: [false] }),
  ),
});

/** Each deletion is written to the log; what is left to remove goes in the background. */
export function deletionRoutes(db: Database, log: Logger): Route[] {
  const finish = (what: Readonly<Record<string, string | boolean>>, sentence: string) => {
    log.info(what, sentence);
    // Whatever stops it, the regular tidying goes on with it.
    emptyDeletedStores(db).catch((error: unknown) => log.debug({ err: error }, 'The removal goes on later'));
    return noContent();
  };
  return [
    storeRoute({
      method: 'DELETE',
      path: '/manage/v1/stores/{store_id}',
      operationId: 'delete_store',
      tag: 'Stores',
      summary: 'Delete a store',
      description:
        'With its menus and all that has happened there, for ever: nobody finds it from the very next request on, and ' +
        'what it held is removed in the background. One that has orders is deleted only when `force` says so. No id is ' +
        'used again.',
      permission: 'operator',
      params: StoreParams,
      storeParam: 'store_id',
      query: Forced,
      answers: [
        { status: 204, description: 'The store is deleted' },
        { status: 409, description: 'The store has orders', schema: Problem },
      ],
      handler: async ({ store: { id, merchantId }, principal, query: { force: isForced = false } }) => {
        await db.transaction((tx) => deleteStore(tx, { id, keyId: principal.id, isForced }));
        const what = { store_id: id, merchant_id: merchantId, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A store was deleted');
      },
    }),
    route({
      method: 'DELETE',
      path: '/manage/v1/merchants/{merchant_id}',
      operationId: 'delete_merchant',
      tag: 'Merchants',
      summary: 'Delete a merchant',
      description:
        'With its stores and its keys, which open nothing from the very next request on. One whose stores have orders is ' +
        'deleted only when `force` says so.',
      permission: 'operator',
      params: MerchantParams,
      query: Forced,
      answers: [
        { status: 204, description: 'The merchant is deleted' },
        { status: 409, description: 'A store of the merchant has orders', schema: Problem },
      ],
      findResource: (call) => findMerchant(call, call.params.merchant_id),
      handler: async ({ principal, params: { merchant_id: id }, query: { force: isForced = false } }) => {
        await db.transaction((tx) => deleteMerchant(tx, { id, keyId: principal.id, isForced }));
        const what = { merchant_id: id, key_id: principal.id, is_forced: isForced };
        return finish(what, 'A merchant was deleted');
      },
    }),
  ];
}
