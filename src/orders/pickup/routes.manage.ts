import { Type } from '../../support/shape/type.js';
import { json } from '../../http/response.js';
import { storeRoute, type Route } from '../../http/route.js';
import { StoreParams } from '../../tenants/routes.manage.js';
import { readPickupNumbers } from './pickup.sql.js';
import { NamedShape } from '../../support/shape/common-shapes.js';

const Numbers = (description: string, example: number) =>
  Type.Array(Type.Integer(), { description, examples: [[example]] });

const PickupScreen = NamedShape('PickupScreen', {
  preparing: Numbers('Accepted orders, the one due first in front', 43),
  ready: Numbers('Orders to be fetched, the latest in front', 42),
});

/** What a television at the counter shows. Its key opens nothing else. */
export function pickupRoutes(): Route[] {
  return [
    storeRoute('GET', '/manage/v1/stores/{store_id}/pickup_screen', 'get_pickup_screen', {
      tag: 'Orders',
      summary: 'Get the numbers for the pick-up screen',
      description:
        'The daily numbers of the orders wanted from four hours ago to two hours from now, without those of tables, and nothing ' +
        'else about them. The permission `pickup:read` suffices. Poll it every few seconds.',
      permission: 'pickup:read',
      params: StoreParams,
      responses: [{ status: 200, description: 'The numbers', schema: PickupScreen }],
      handler: async ({ db, store }) => json(await readPickupNumbers(db, store.storeKey)),
    }),
  ];
}
