import Type from 'typebox';
import { NotFound } from '../domain/errors.js';
import type { StockedKind } from '../domain/menu/kinds.js';
import { ItemMark, ModifierItemMark, StockMark } from '../domain/menu/stock-shapes.js';
import { isStorableText } from '../domain/shape/text.js';
import { json } from '../http/answer.js';
import { storeRoute, type Route } from '../http/route.js';
import { findStocked, markStock } from '../operations/mark-stock.js';
import type { MenuContext } from './menus.js';
import { StoreParams } from './stores.js';

const entityParams = (example: string) =>
  Type.Object({
    ...StoreParams.properties,
    external_id: Type.String({ description: 'The external_id, percent-encoded', examples: [example] }),
  });

const DESCRIPTION =
  'Shows on the next read. What is left out stays as it is. A later publication that states in_stock wins; one that leaves it out keeps the mark.';

export function menuStockRoutes({ db, limits, tell }: MenuContext): Route[] {
  const mostTreeBytes = limits.treeBytes;
  const answers = [{ status: 200, description: 'As it is now', schema: StockMark }];
  const common = {
    method: 'PATCH',
    tag: 'Menu',
    description: DESCRIPTION,
    permission: 'stock:write',
    storeParam: 'store_id',
    answers,
  } as const;

  const locate =
    (kind: StockedKind) =>
    async ({
      store,
      params,
    }: {
      store: { storeKey: number; menuVersion: number };
      params: { external_id: string };
    }) => {
      if (!isStorableText(params.external_id)) throw new NotFound(kind === 'item' ? 'Item' : 'Modifier item');
      await findStocked(db, store.storeKey, store.menuVersion, kind, params.external_id);
      return undefined;
    };

  return [
    storeRoute({
      ...common,
      path: '/manage/v1/stores/{store_id}/menu/items/{external_id}',
      operationId: 'mark_item',
      params: entityParams('flat-white'),
      summary: 'Mark an item sold out or in stock',
      body: { kind: 'json', schema: ItemMark },
      locate: locate('item'),
      handler: async ({ store, params, body, key }) => {
        const mark = { inStock: body.in_stock, prepType: body.prep_type };
        const wanted = {
          storeKey: store.storeKey,
          kind: 'item',
          externalId: params.external_id,
          mark,
          mostTreeBytes,
          keyId: key.id,
          tell,
        } as const;
        return json(await db.transaction((tx) => markStock(tx, wanted)));
      },
    }),
    storeRoute({
      ...common,
      path: '/manage/v1/stores/{store_id}/menu/modifier_items/{external_id}',
      operationId: 'mark_modifier_item',
      params: entityParams('oat-milk'),
      summary: 'Mark a modifier item sold out or in stock',
      body: { kind: 'json', schema: ModifierItemMark },
      locate: locate('modifier_item'),
      handler: async ({ store, params, body, key }) => {
        const mark = { inStock: body.in_stock };
        const wanted = {
          storeKey: store.storeKey,
          kind: 'modifier_item',
          externalId: params.external_id,
          mark,
          mostTreeBytes,
          keyId: key.id,
          tell,
        } as const;
        return json(await db.transaction((tx) => markStock(tx, wanted)));
      },
    }),
  ];
}
