import type { StockedKind } from '../kinds.js';
import type { StockChange } from './marks.js';
import { ItemMark, ItemMarks, ModifierItemMark, StockMark, StockMarks, toStockChange } from './shapes.js';
import { createEntityCheck, entityParams } from '../entity-routes.js';
import { json } from '../../http/response.js';
import { storeRoute, type Route, type RouteRequest } from '../../http/route.js';
import { markStock } from './stock.js';
import type { MenuContext } from '../context.js';
import { StoreParams } from '../../tenants/routes.manage.js';

interface MarkCall extends Pick<RouteRequest, 'db' | 'principal'> {
  readonly store: { readonly storeKey: number };
}

const DESCRIPTION =
  'Visible from the next read. Omitted fields stay as they are; `in_stock` without `until` has no end. A later publication with in_stock overrides it; one without keeps it.';

export function menuStockRoutes({ db, limits }: MenuContext): Route[] {
  const findEntity = createEntityCheck(db);
  const responses = [{ status: 200, description: 'The entity after the change', schema: StockMark }];
  const common = {
    tag: 'Menu',
    description: DESCRIPTION,
    permission: 'stock:write',
    responses,
  } as const;

  const markAll = (
    { db: own, store, principal }: MarkCall,
    request: Pick<Parameters<typeof markStock>[2], 'marks' | 'list'>,
  ) => {
    const wanted = { ...request, keyId: principal.id, mostTreeBytes: limits.treeBytes };
    return own.transaction((tx) => markStock(tx, store.storeKey, wanted));
  };
  const mark = async (kind: StockedKind, externalId: string, call: MarkCall, wanted: StockChange) => {
    const [made] = await markAll(call, { marks: [{ kind, externalId, mark: wanted }] });
    return json(made);
  };

  return [
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/menu/items/{external_id}', 'mark_item', {
      ...common,
      params: entityParams('flat-white'),
      summary: 'Mark an item sold out or in stock',
      body: { kind: 'json', schema: ItemMark, example: { in_stock: true } },
      findResource: findEntity('item'),
      handler: (call) =>
        mark('item', call.params.external_id, call, toStockChange(call.body, call.store.timezone)),
    }),
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/menu/items', 'mark_items', {
      ...common,
      params: StoreParams,
      summary: 'Mark many items at once',
      description: `Up to 1,000 items, all or none of them. ${DESCRIPTION}`,
      body: {
        kind: 'json',
        schema: ItemMarks,
        example: { items: [{ external_id: 'flat-white', in_stock: true }] },
      },
      responses: [
        { status: 200, description: 'As they are now, in the order of the request', schema: StockMarks },
      ],
      handler: async (call) => {
        const marks = call.body.items.map(({ external_id: externalId, ...one }) => ({
          kind: 'item' as const,
          externalId,
          mark: toStockChange(one, call.store.timezone),
        }));
        return json({ items: await markAll(call, { marks, list: ['body', 'items'] }) });
      },
    }),
    storeRoute(
      'PATCH',
      '/manage/v1/stores/{store_id}/menu/modifier_items/{external_id}',
      'mark_modifier_item',
      {
        ...common,
        params: entityParams('oat-milk'),
        summary: 'Mark a modifier item sold out or in stock',
        body: { kind: 'json', schema: ModifierItemMark, example: { in_stock: true } },
        findResource: findEntity('modifier_item'),
        handler: (call) =>
          mark('modifier_item', call.params.external_id, call, toStockChange(call.body, call.store.timezone)),
      },
    ),
  ];
}
