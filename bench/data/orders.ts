import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Service } from '../servers/service.js';
import { createRandom } from './menus.js';

/** Made-up orders, the same for the same seed, spread evenly over a number of days; most of them are FULFILLED. */
export interface OrderPlan {
  readonly storeId: string;
  readonly count: number;
  readonly seed: number;
  readonly days?: number;
  /** Where they begin. Default: years ago. */
  readonly first?: number;
  /** Begins the name and phone number of every customer. */
  readonly customer?: { readonly name: string; readonly phone: string };
}

/** The first day of one of the longest buckets that the service counts orders in. */
export const FIRST_DAY = Date.UTC(2015, 0, 19);
export const DAY_MS = 86_400_000;

/** An order as the intake takes it. */
export const ORDER = {
  customer: { name: 'Łukasz Nowak', phone: '+48 600 123 456' },
  items: [{ external_id: 'flat-white', name: 'Flat white', quantity: 1, price: 390, tax: 35, modifiers: [] }],
  price: 390,
  tax: 35,
  // Within what a checked order may ask for.
  ready_by: new Date(Date.now() + 2 * 86_400_000).toISOString(),
};

const GIVEN = [
  'Ana',
  'Łukasz',
  'Maria',
  'José',
  'Zoë',
  'John',
  'Fatima',
  'Wei',
  'Søren',
  'Olga',
  '小龍',
  'Иван',
];
const FAMILY = [
  'Nowak',
  'García',
  'Müller',
  'Smith',
  'Okafor',
  'Straßer',
  'Ivanova',
  'Ødegaard',
  '李',
  'Dubois',
];
const LETTERS = Array.from('bcdfghjklmnprstvwz');
const STATUSES = [
  'FULFILLED',
  'FULFILLED',
  'FULFILLED',
  'FULFILLED',
  'REJECTED',
  'CUSTOMER_CANCELLED',
  'READY',
];
const MINUTE_MS = 60_000;
const LINES_PER_CHUNK = 250;
const OAT = { group_external_id: 'milk', external_id: 'oat', name: 'Oat milk', quantity: 1 };
const ITEMS = [
  { ...ORDER.items[0], modifiers: [{ ...OAT, price_change: 40, tax_change: 4 }] },
  { external_id: 'croissant', name: 'Croissant', quantity: 2, price: 280, tax: 28, modifiers: [] },
];

/** The lines of an import, in chunks. */
export function* orderChunks({
  storeId,
  count,
  seed,
  days = 730,
  first: begun = FIRST_DAY,
  customer,
}: OrderPlan): Generator<Buffer> {
  const random = createRandom(seed);
  const word = () => Array.from({ length: 5 }, () => random.pick(LETTERS)).join('');
  const line = (i: number): string => {
    const created = begun + Math.floor((i / count) * days * DAY_MS) + random.below(MINUTE_MS);
    const price = 500 + random.below(5_000);
    const order = {
      store_id: storeId,
      external_id: `bench-${seed}-${i}`,
      created_at: new Date(created).toISOString(),
      status: random.pick(STATUSES),
      customer: {
        name: customer ? `${customer.name} ${i}` : `${random.pick(GIVEN)} ${random.pick(FAMILY)} ${word()}`,
        phone: customer ? `${customer.phone}${100 + i}` : `+48 ${600_000_000 + random.below(99_999_999)}`,
      },
      items: ITEMS,
      price,
      tax: Math.floor(price / 10),
      ready_by: new Date(created + 20 * MINUTE_MS).toISOString(),
    };
    return `${JSON.stringify(order)}\n`;
  };
  for (let first = 0; first < count; first += LINES_PER_CHUNK) {
    const length = Math.min(LINES_PER_CHUNK, count - first);
    yield Buffer.from(Array.from({ length }, (_line, i) => line(first + i)).join(''));
  }
}

/** More are not kept in memory: then they are made while they are sent, which costs the import a little time. */
const MOST_AHEAD = 100_000;

/** Sends the orders through the service's import and waits until all are there. Returns the milliseconds that took. */
export async function importOrders({ port }: Service, key: string, plan: OrderPlan): Promise<number> {
  const chunks = plan.count > MOST_AHEAD ? orderChunks(plan) : [...orderChunks(plan)];
  const begun = performance.now();
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
  const address = `http://127.0.0.1:${port}/manage/v1/orders/import`;
  const outgoing = request(address, { method: 'POST', headers });
  Readable.from(chunks).pipe(outgoing);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await text(response);
  const { created } = JSON.parse(body) as { created?: number };
  if (created !== plan.count) throw new Error(`The import returned ${body.slice(0, 500)}`);
  return performance.now() - begun;
}
