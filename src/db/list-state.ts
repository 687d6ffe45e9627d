import { createBatch } from './batch.js';
import type { Database, Queryable } from './database.js';

/**
 * A text that is another after every change of a store: whatever changes an order, or what is shown of the store with
 * it, ends with an event, and a restore begins a new epoch. `storeKey` is an SQL expression.
 */
function listState(storeKey: string): string {
  return `(SELECT e.epoch || '.' || coalesce((
      SELECT c.last_sequence FROM event_counters c WHERE c.store_key = ${storeKey}), 0)
    FROM event_epoch e WHERE e.number = 1)`;
}

/** In a statement whose $1 is the store: the state that goes with what it finds. */
export const LIST_STATE = listState('$1');

/** Where the lists of a store stand now. */
export type ReadListState = (storeKey: number) => Promise<string>;

/** Reads that wait at the same moment go as one query, which begins after each of them was asked for. */
export function createListStates(db: Database): ReadListState {
  return createBatch({
    run: (storeKeys: readonly number[]) => readListStates(db, storeKeys),
    identify: String,
  });
}

async function readListStates(db: Queryable, storeKeys: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ state: string }>({
    name: 'list-states',
    text: `
      SELECT ${listState('asked.store_key')} AS state
      FROM unnest((SELECT $1::integer[])) WITH ORDINALITY AS asked (store_key, place)
      ORDER BY asked.place`,
    values: [storeKeys],
    repeatable: true,
  });
  return rows.map(({ state }) => state);
}
