import type { Queryable } from '../database.js';
import { LARGE_MARK } from './order-json.js';
import { readOrders } from './read-orders.js';

/** Whether a page is the text of a JSON list as it stands, or has large orders that are yet to be read. */
export function isFilledIn(list: string): boolean {
  return !list.includes(LARGE_MARK);
}

/** The text of a page in chunks, its large orders read one by one, each when the chunk before it has been taken. */
export async function* fillIn(db: Queryable, storeKey: number, list: string): AsyncGenerator<string> {
  for (const [at, part] of list.split(LARGE_MARK).entries()) {
    const isId = at % 2 === 1;
    yield isId ? await readWhole(db, storeKey, part) : part;
  }
}

async function readWhole(db: Queryable, storeKey: number, id: string): Promise<string> {
  const [order] = await readOrders(db, storeKey, [id]);
  if (order === undefined) throw new Error(`Order ${id} was listed, but is not there`);
  return `{${order.json}}`;
}
