import type { NewEvent } from '../events/event.js';
import {
  managedOrderColumns,
  TEXT_BYTES,
  toManagedOrder,
  type ManagedOrderRow,
  type ShownManagedOrder,
} from '../orders/json.sql.js';
import type { Queryable } from '../postgres/database.js';

/** How much one statement erases: little enough that nothing has to wait for it. */
const ERASED_AT_ONCE = 200;
const MOST_BYTES_AT_ONCE = 4_000_000;

/** Some of those orders that have not been erased. */
export async function readErasable(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<ShownManagedOrder[]> {
  const rows = await db.read<ManagedOrderRow>({
    name: 'customers-erasable',
    text: `
      SELECT ${managedOrderColumns()} FROM (
        SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY o.id) - ${TEXT_BYTES} AS size_before
        FROM (
          SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[]) AND NOT o.is_erased
          ORDER BY o.id LIMIT ${ERASED_AT_ONCE}
        ) o
      ) o
      WHERE o.size_before < ${MOST_BYTES_AT_ONCE}`,
    values: [storeKey, ids],
  });
  return rows.map(toManagedOrder);
}

/** Finds the orders that exist, and whether each has been erased. */
export async function findErasable(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await db.read<{ id: string; is_erased: boolean }>({
    name: 'customers-find-erasable',
    text: 'SELECT o.id, o.is_erased FROM orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[])',
    values: [storeKey, ids],
  });
  return new Map(rows.map((row) => [row.id, row.is_erased]));
}

/** The ids of some orders that were completed before the time and have not been erased; the oldest first. */
export async function findOldErasable(db: Queryable, storeKey: number, before: Date): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'customers-old',
    text: `SELECT o.id FROM orders o
           WHERE o.store_key = $1 AND NOT o.is_erased AND o.completed_at < $2
           ORDER BY o.completed_at LIMIT ${ERASED_AT_ONCE}`,
    values: [storeKey, before],
  });
  return rows.map(({ id }) => id);
}

/** An order after its erasure, and the event; no event if there was nothing to erase. */
export interface Erasure {
  readonly id: string;
  readonly revision: number;
  readonly newRevision: number;
  readonly updatedAt: string;
  /** JSON text. */
  readonly items: string;
  readonly facts: string | undefined;
  readonly event: NewEvent | undefined;
}

export interface Erased {
  /** How many orders nobody had changed meanwhile. */
  readonly count: number;
  readonly lastSequence: number | undefined;
}

/** Erases customers with everything that is derived from them, in one statement. */
export async function eraseCustomers(
  db: Queryable,
  storeKey: number,
  erasures: readonly Erasure[],
): Promise<Erased> {
  const [row] = await db.query<{ answer: { erased: string[]; last_sequence: number | null } }>({
    name: 'customers-erase',
    text: 'SELECT erase_customers($1, $2, $3) AS answer',
    values: [
      storeKey,
      JSON.stringify(
        erasures.map(({ id, revision, newRevision, updatedAt, items, facts }) => ({
          ...{ id, revision, items, facts, new_revision: newRevision, updated_at: updatedAt },
        })),
      ),
      JSON.stringify(erasures.flatMap(({ id, event }) => (event ? [{ order_id: id, ...event }] : []))),
    ],
  });
  if (row === undefined) throw new Error('erase_customers gave no answer');
  const { erased, last_sequence: lastSequence } = row.answer;
  return { count: erased.length, lastSequence: lastSequence ?? undefined };
}

/** Lists the orders, so that an older backup that is restored is erased again. */
export async function noteErasures(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'customers-note',
    text: `INSERT INTO erased_orders (order_id, erased_at)
           SELECT n.id, clock_timestamp() FROM unnest($1::uuid[]) AS n (id) ON CONFLICT DO NOTHING`,
    values: [ids],
    repeatable: true,
  });
}

const LISTED_AT_ONCE = 1_000;

/** The next ids of the list. */
export async function readErasures(db: Queryable, after: string): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'customers-noted',
    text: `SELECT e.order_id AS id FROM erased_orders e WHERE e.order_id > $1
           ORDER BY e.order_id LIMIT ${LISTED_AT_ONCE}`,
    values: [after],
  });
  return rows.map(({ id }) => id);
}
