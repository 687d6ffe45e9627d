import { createRandom } from './random.js';

/** Made-up orders, the same for the same seed: spread evenly over two years, most of them FULFILLED. */
export interface OrderPlan {
  readonly storeId: string;
  readonly count: number;
  readonly seed: number;
}

/** Every store, whatever its size, has this many orders of one customer whom nobody else is named or phoned like. */
export const RARE_ORDERS = 50;
export const RARE_NAME = 'quixada';
export const RARE_DIGITS = '48555000';

export const FIRST_DAY = Date.UTC(2024, 0, 1);
export const SPAN_MS = 2 * 365 * 86_400_000;

const GIVEN = ['Ana', 'Łukasz', 'Maria', 'José', 'Zoë', 'John', 'Fatima', 'Wei', 'Søren', 'Olga', '小龍', 'Иван'];
const FAMILY = ['Nowak', 'García', 'Müller', 'Smith', 'Okafor', 'Straßer', 'Ivanova', 'Ødegaard', '李', 'Dubois'];
const LETTERS = 'bcdfghjklmnprstvwz';
const STATUSES = ['FULFILLED', 'FULFILLED', 'FULFILLED', 'FULFILLED', 'REJECTED', 'CUSTOMER_CANCELLED', 'READY'];
const HOUR_MS = 3_600_000;
const LINES_A_PIECE = 250;

/** The orders as the import takes them, some hundred lines at a time. */
export function* orderPieces(plan: OrderPlan): Generator<Buffer> {
  const makeLine = orderLines(plan);
  for (let from = 0; from < plan.count; from += LINES_A_PIECE) {
    let text = '';
    for (let at = from; at < Math.min(from + LINES_A_PIECE, plan.count); at += 1) text += `${makeLine(at)}\n`;
    yield Buffer.from(text);
  }
}

/** The orders of many stores, each store's lines together or, mixed, one line of each store in turn. */
export function* piecesOfStores(plans: readonly OrderPlan[], order: 'sorted' | 'mixed'): Generator<Buffer> {
  if (order === 'sorted') {
    for (const plan of plans) yield* orderPieces(plan);
    return;
  }
  const stores = plans.map((plan) => ({ count: plan.count, makeLine: orderLines(plan) }));
  const most = Math.max(...plans.map(({ count }) => count));
  for (let at = 0; at < most; at += 1) {
    const lines = stores.filter(({ count }) => at < count).map(({ makeLine }) => makeLine(at));
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

/** Written by hand, because JSON.stringify of a million orders would take longer than it takes to store them. */
function orderLines({ storeId, count, seed }: OrderPlan): (at: number) => string {
  const random = createRandom(seed);
  const isRareEvery = Math.max(1, Math.floor(count / RARE_ORDERS));
  return (at) => {
    const created = FIRST_DAY + Math.floor((at / count) * SPAN_MS) + random.below(HOUR_MS);
    const isRare = at % isRareEvery === 0 && at / isRareEvery < RARE_ORDERS;
    const name = isRare ? `Quixada ${at / isRareEvery}` : `${random.pick(GIVEN)} ${random.pick(FAMILY)} ${word(random.below)}`;
    const phone = isRare ? `+48 555 000 ${100 + at / isRareEvery}` : `+48 ${600_000_000 + random.below(99_999_999)}`;
    const price = 500 + random.below(5_000);
    return (
      `{"store_id":"${storeId}","external_id":"bench-${seed}-${at}","created_at":"${new Date(created).toISOString()}",` +
      `"status":"${random.pick(STATUSES)}","customer":{"name":"${name}","phone":"${phone}"},${ITEMS},` +
      `"price":${price},"tax":${Math.floor(price / 10)},"ready_by":"${new Date(created + HOUR_MS / 3).toISOString()}"}`
    );
  };
}

function word(below: (bound: number) => number): string {
  let text = '';
  for (let at = 0; at < 5; at += 1) text += LETTERS.charAt(below(LETTERS.length));
  return text;
}

const ITEMS = `"items":${JSON.stringify([
  {
    external_id: 'flat-white',
    name: 'Flat white',
    quantity: 1,
    price: 390,
    tax: 35,
    modifiers: [
      {
        group_external_id: 'milk',
        external_id: 'oat',
        name: 'Oat milk',
        quantity: 1,
        price_change: 40,
        tax_change: 4,
      },
    ],
  },
  { external_id: 'croissant', name: 'Croissant', quantity: 2, price: 280, tax: 28, modifiers: [] },
])}`;
