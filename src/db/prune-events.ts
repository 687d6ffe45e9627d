import type { Database, Transaction } from './database.js';

const STORES_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1_000;

interface OldStore {
  readonly store_key: number;
  readonly first: number;
  readonly last: number;
}

/** Removes some of the events from before the moment, the oldest of each store; true when there may be more. */
export async function pruneEvents(db: Database, before: Date): Promise<boolean> {
  const stores = await db.query<OldStore>({
    name: 'events-old-stores',
    text: `
      SELECT c.store_key, c.first_sequence AS first, c.last_sequence AS last
      FROM event_counters c JOIN events e ON e.store_key = c.store_key AND e.sequence = c.first_sequence
      WHERE e.at < $1 LIMIT ${STORES_AT_ONCE}`,
    values: [before],
    repeatable: true,
  });
  let removed = 0;
  for (const store of stores) removed += await db.transaction((tx) => pruneStore(tx, store, before));
  return removed > 0;
}

/** Ends at the first event that is young enough: what is kept of a store has no gaps. */
async function pruneStore(tx: Transaction, store: OldStore, before: Date): Promise<number> {
  const { store_key: storeKey, first, last } = store;
  const end = Math.min(first + EVENTS_AT_ONCE, last + 1);
  const [kept] = await tx.query<{ first: number | null }>({
    name: 'events-first-young',
    text: `
      SELECT min(e.sequence) AS first FROM events e
      WHERE e.store_key = $1 AND e.sequence >= $2 AND e.sequence < $3 AND e.at >= $4`,
    values: [storeKey, first, end, before],
  });
  const newFirst = kept?.first ?? end;
  const removed = await tx.query({
    name: 'events-remove',
    text: 'DELETE FROM events e WHERE e.store_key = $1 AND e.sequence >= $2 AND e.sequence < $3 RETURNING 1',
    values: [storeKey, first, newFirst],
  });
  // Last, like every writer: whoever appends events of the store waits for this one row.
  await tx.query({
    name: 'events-set-first',
    text: `
      UPDATE event_counters SET first_sequence = greatest(event_counters.first_sequence, $2)
      WHERE event_counters.store_key = $1`,
    values: [storeKey, newFirst],
  });
  return removed.length;
}
