import type { Database } from '../../src/db/database.js';
import { createOrderImport } from '../../src/operations/orders/import-orders.js';

/** Made-up orders, the same for the same seed: two years of them, mostly FULFILLED, common and rare names. */
export interface OrderPlan {
  readonly storeId: string;
  readonly count: number;
  readonly seed: number;
  /** RFC 3339; orders spread evenly over the two years from here. */
  readonly from: string;
}

const GIVEN = ['Ana', 'Łukasz', 'Maria', 'José', 'Zoë', 'John', 'Fatima', 'Wei', 'Søren', 'Olga', '小龍', 'Иван', 'Léa', 'Tom'];
const FAMILY = ['Nowak', 'García', 'Müller', 'Smith', 'Okafor', 'Straßer', 'Ivanova', 'Ødegaard', '李', 'Dubois', 'Rossi'];
const STATUSES = ['FULFILLED', 'FULFILLED', 'FULFILLED', 'FULFILLED', 'FULFILLED', 'REJECTED', 'CUSTOMER_CANCELLED', 'READY'];
const TWO_YEARS_MS = 2 * 365 * 86_400_000;
const LINES_AT_ONCE = 200;

/** One order in so many carries a name of its own kind, `Quixada N`: searches for one of them have few matches. */
export const RARE_EVERY = 10_000;

export function* orderLines(plan: OrderPlan): Generator<string> {
  const random = seeded(plan.seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const start = Date.parse(plan.from);
  for (let at = 0; at < plan.count; at += 1) {
    const created = start + Math.floor((at / plan.count) * TWO_YEARS_MS + random() * 3_600_000);
    const serial = Math.floor(random() * 1_000_000);
    const name = at % RARE_EVERY === 0 ? `Quixada ${at / RARE_EVERY}` : `${pick(GIVEN) ?? ''} ${pick(FAMILY) ?? ''} ${letters(serial)}`;
    const price = 500 + Math.floor(random() * 5_000);
    yield JSON.stringify({
      store_id: plan.storeId,
      external_id: `bench-${plan.seed}-${at}`,
      created_at: new Date(created).toISOString(),
      status: pick(STATUSES),
      customer: { name, phone: `+48 ${600_000_000 + Math.floor(random() * 99_999_999)}` },
      items: [
        { external_id: 'flat-white', name: 'Flat white', quantity: 1, price, tax: 35, modifiers: [{ group_external_id: 'milk', external_id: 'oat', name: 'Oat milk', quantity: 1, price_change: 40, tax_change: 4 }] },
        { external_id: 'croissant', name: 'Croissant', quantity: 2, price: 280, tax: 28, modifiers: [] },
      ],
      price,
      tax: Math.floor(price / 10),
      ready_by: new Date(created + 1_200_000).toISOString(),
    });
  }
}

/** Puts the planned orders in the way every import does, counts and search included. */
export async function loadOrders(db: Database, plan: OrderPlan): Promise<number> {
  const orders = createOrderImport({ db, slot: 0, maxDepth: 32, maxLineBytes: 1_048_576 });
  const report = await orders.run(pieces(plan), {});
  if (report.refused > 0) throw new Error(`The import refused ${report.refused} lines: ${JSON.stringify(report.errors[0])}`);
  return report.created;
}

async function* pieces(plan: OrderPlan): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const line of orderLines(plan)) {
    lines.push(line);
    if (lines.length < LINES_AT_ONCE) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
    await Promise.resolve();
  }
  yield Buffer.from(lines.join('\n'));
}

function letters(serial: number): string {
  return serial.toString(36).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
