import { randomInt } from 'node:crypto';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const LARGEST_STORE_NUMBER = 0x7fff_ffff;
const LOW_BITS = 2 ** 30;
const HIGH_BITS = 2 ** 12;

/** Makes the id of a new order of the store. */
export type OrderIds = (storeKey: number) => string;

/**
 * UUIDv7 whose last 32 bits are the store's number, so that an id alone leads to the rows of one store. The other 42
 * random bits start anew each millisecond and then count, so ids of one process ascend and never meet.
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
      high = randomInt(HIGH_BITS / 2);
      low = randomInt(LOW_BITS);
      time = timeText(ms);
    } else {
      low += 1;
      if (low === LOW_BITS) {
        low = 0;
        high += 1;
      }
      if (high === HIGH_BITS) {
        high = 0;
        ms += 1;
        time = timeText(ms);
      }
    }
    return composeOrderId(time, high, low, storeKey);
  };
}

/** The number of the store an order id leads to; undefined for a text that no order can have as its id. */
export function storeKeyOfOrder(id: string): number | undefined {
  if (!FORM.test(id)) return undefined;
  const storeKey = Number.parseInt(id.slice(-8), 16);
  return storeKey <= LARGEST_STORE_NUMBER ? storeKey : undefined;
}

function timeText(ms: number): string {
  const text = hex(ms, 12);
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

function composeOrderId(time: string, high: number, low: number, storeKey: number): string {
  const variantAndLow = (0x8000_0000 + low).toString(16);
  return `${time}-7${hex(high, 3)}-${variantAndLow.slice(0, 4)}-${variantAndLow.slice(4)}${hex(storeKey, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
