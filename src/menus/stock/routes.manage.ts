import type { Principal } from '../../access/principal.js';
import type { StockedKind } from '../kinds.js';
import type { StockChange } from './marks.js';
import { ItemMark, ItemMarks, ModifierItemMark, StockMark, StockMarks, toStockChange } from './shapes.js';
import { createEntityCheck, entityParams, type EntityCall } from '../entity-routes.js';
import { json } from '../../http/response.js';
import { storeRoute, type Route } from '../../http/route.js';
import { createStockMarking } from './stock.js';
import type { MenuContext } from '../context.js';
import type { Actor } from '../../support/actor.js';
import { StoreParams } from '../../tenants/routes.manage.js';

interface MarkCall extends EntityCall {
  readonly principal: Principal;
  readonly by: Actor;
}

const DESCRIPTION =
  'Visible from the next read. Omitted fields stay as they are; `in_stock` without `until` has no end. A later publication with in_stock overrides it; one without keeps it.';

export function menuStockRoutes({ db, limits }: MenuContext): Route[] {
  const markStock = createStockMarking(db, limits.treeBytes);
  const findEntity = createEntityCheck(db);
  const responses = [{ status: 200, description: 'The entity after the change', schema: StockMark }];
  const common = {
    tag: 'Menu',
    description: DESCRIPTION,
    permission: 'stock:write',
    responses,
  } as const;

  const mark = async (kind: StockedKind, { store, params, principal, by }: MarkCall, wanted: StockChange) => {
    const marks = [{ kind, externalId: params.external_id, mark: wanted }];
    const [made] = await markStock(store, { marks, keyId: principal.id, by });
    return json(made);
  };

  return [
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/menu/items/{external_id}', 'mark_item', {
      ...common,
      params: entityParams('flat-white'),
      summary: 'Mark an item sold out or in stock',
      body: { kind: 'json', schema: ItemMark, example: { in_stock: true } },
      findResource: findEntity('item'),
      handler: (call) => mark('item', call, toStockChange(call.body, call.store.timezone)),
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
      handler: async ({ store, body, principal, by }) => {
        const marks = body.items.map(({ external_id: externalId, ...one }) => ({
          kind: 'item' as const,
          externalId,
          mark: toStockChange(one, store.timezone),
        }));
        return json({
          items: await markStock(store, { marks, keyId: principal.id, by, list: ['body', 'items'] }),
        });
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
        handler: (call) => mark('modifier_item', call, toStockChange(call.body, call.store.timezone)),
      },
    ),
  ];
}
