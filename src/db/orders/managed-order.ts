import type { Queryable } from '../database.js';
import { managedOrderMembers, STORE_INFO_OF_FIRST_PARAMETER } from './order-json.js';

/** The order as it is now, as JSON text in the form of the manage side. */
export async function readManagedOrder(
  db: Queryable,
  storeKey: number,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ json: string }>({
    name: 'orders-managed-one',
    text: `SELECT '{' || ${managedOrderMembers(STORE_INFO_OF_FIRST_PARAMETER)} || '}' AS json
           FROM orders o WHERE o.store_key = $1 AND o.id = $2`,
    values: [storeKey, id],
    repeatable: true,
  });
  return row?.json;
}
