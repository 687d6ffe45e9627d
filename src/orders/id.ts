import { randomInt } from 'node:crypto';
import type { StoreReference } from '../access/api-key-lookup.sql.js';
import { composeUuidV7, HIGH_VALUES, isResourceId, isUuidV7, LOW_VALUES, uuidTime } from '../support/uuid.js';

const LARGEST_STORE_NUMBER = 0x7fff_ffff;

export type OrderIds = (storeKey: number) => string;

/**
 * UUIDv7 whose last 32 bits are the store's number, so that an id alone leads to the rows of one store. The other 42
 * random bits start at a new number each millisecond and then count, so ids of one process ascend and never collide.
 */
export function createOrderIds(now: () => number = Date.now): OrderIds {
  let ms = 0;
  let high = 0;
  let low = 0;
  let time = '';
  return (storeKey) => {
    const present = now();
    if (present > ms) {
      ms = present;
      high = randomInt(HIGH_VALUES / 2);
      low = randomInt(LOW_VALUES);
      time = uuidTime(ms);
    } else {
      low += 1;
      // Half of the values of `high` lie ahead: no process makes so many ids before the clock goes on.
      if (low === LOW_VALUES) {
        low = 0;
        high += 1;
      }
    }
    return composeUuidV7(time, high, low, storeKey);
  };
}

/** The number of the store an order id leads to; undefined for a text that no order can have as its id. */
export function storeKeyOfOrder(id: string): number | undefined {
  if (!isResourceId(id) || !isUuidV7(id)) return undefined;
  const storeKey = Number.parseInt(id.slice(-8), 16);
  return storeKey <= LARGEST_STORE_NUMBER ? storeKey : undefined;
}

/** The store that an order's id leads to, for a route whose parameter `name` is an order's id. */
export function storeOfOrder(name: string) {
  return (params: Readonly<Record<string, string>>): StoreReference | undefined => {
    const storeKey = storeKeyOfOrder(params[name] ?? '');
    return storeKey === undefined ? undefined : { storeKey };
  };
}
