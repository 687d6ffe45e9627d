import Type from 'typebox';
import type { RequestedStore } from '../db/callers.js';
import { createListing } from '../db/menu-entities.js';
import { NotFound } from '../domain/errors.js';
import type { Principal } from '../domain/key/principal.js';
import type { StockedKind } from '../domain/menu/kinds.js';
import type { Mark } from '../domain/menu/marks.js';
import { ItemMark, ModifierItemMark, StockMark } from '../domain/menu/stock-shapes.js';
import { isStorableText } from '../domain/shape/scalars.js';
import { json } from '../http/answer.js';
import { storeRoute, type Route } from '../http/route.js';
import { createStockMarking } from '../operations/mark-stock.js';
import type { MenuContext } from '../operations/publish-menu.js';
import { StoreParams } from './stores.js';

const entityParams = (example: string) =>
  Type.Object({
    ...StoreParams.properties,
    external_id: Type.String({ description: 'The external_id, percent-encoded', examples: [example] }),
  });

interface EntityCall {
  readonly store: RequestedStore;
  readonly params: { readonly external_id: string };
  readonly principal: Principal;
}

const DESCRIPTION =
  'Shows on the next read. What is left out stays as it is. A later publication that states in_stock wins; one that leaves it out keeps the mark.';

export function menuStockRoutes({ db, limits }: MenuContext): Route[] {
  const markStock = createStockMarking(db, limits.treeBytes);
  const isListed = createListing(db);
  const answers = [{ status: 200, description: 'As it is now', schema: StockMark }];
  const common = {
    method: 'PATCH',
    tag: 'Menu',
    description: DESCRIPTION,
    permission: 'stock:write',
    storeParam: 'store_id',
    answers,
  } as const;

  const findEntity = (kind: StockedKind) => async (call: EntityCall) => {
    const { storeKey, menu } = call.store;
    const { external_id: externalId } = call.params;
    const isThere =
      isStorableText(externalId) && (await isListed({ storeKey, version: menu.version, kind, externalId }));
    if (!isThere) throw new NotFound(kind === 'item' ? 'Item' : 'Modifier item');
  };

  const mark = async (kind: StockedKind, { store, params, principal }: EntityCall, wanted: Mark) =>
    json(await markStock(store, { kind, externalId: params.external_id, mark: wanted, keyId: principal.id }));

  return [
    storeRoute({
      ...common,
      path: '/manage/v1/stores/{store_id}/menu/items/{external_id}',
      operationId: 'mark_item',
      params: entityParams('flat-white'),
      summary: 'Mark an item sold out or in stock',
      body: { kind: 'json', schema: ItemMark, example: { in_stock: true } },
      findResource: findEntity('item'),
      handler: (call) => mark('item', call, { inStock: call.body.in_stock, prepType: call.body.prep_type }),
    }),
    storeRoute({
      ...common,
      path: '/manage/v1/stores/{store_id}/menu/modifier_items/{external_id}',
      operationId: 'mark_modifier_item',
      params: entityParams('oat-milk'),
      summary: 'Mark a modifier item sold out or in stock',
      body: { kind: 'json', schema: ModifierItemMark, example: { in_stock: true } },
      findResource: findEntity('modifier_item'),
      handler: (call) => mark('modifier_item', call, { inStock: call.body.in_stock }),
    }),
  ];
}
