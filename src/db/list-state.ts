import { createBatch } from './batch.js';
import type { Database, Queryable } from './database.js';
import { confirming, type ExpectedCaller } from './expected-caller.js';

const EPOCH = '(SELECT e.epoch FROM event_epoch e WHERE e.number = 1)';

/**
 * In a statement whose $1 is the store: the state that goes with what it finds. A text that is another after every change
 * of the store: whatever changes an order, or what is shown of the store with it, ends with an event, and a restore begins
 * a new epoch.
 */
export const LIST_STATE = `(${EPOCH} || '.' || coalesce((
  SELECT c.last_sequence FROM event_counters c WHERE c.store_key = $1), 0))`;

/** Where the lists of a store stand now. */
export type ReadListState = (asked: StoreOfList) => Promise<string>;

interface StoreOfList {
  readonly storeKey: number;
  readonly expected?: ExpectedCaller | undefined;
}

/** Reads that wait at the same moment go as one query, which begins after each of them was asked for. */
export function createListStates(db: Database): ReadListState {
  return createBatch({
    run: (asked: readonly StoreOfList[]) =>
      readListStates(
        confirming(
          db,
          asked.flatMap(({ expected }) => expected ?? []),
        ),
        asked.map(({ storeKey }) => storeKey),
      ),
  });
}

async function readListStates(db: Queryable, storeKeys: readonly number[]): Promise<string[]> {
  const [row] = await db.query<{ epoch: string; lasts: Record<string, number> | null }>({
    name: 'list-states',
    text: `
      SELECT ${EPOCH} AS epoch, (
        SELECT json_object_agg(c.store_key, c.last_sequence) FROM event_counters c
        WHERE c.store_key = ANY ($1::integer[])) AS lasts`,
    values: [storeKeys],
    repeatable: true,
  });
  return storeKeys.map((storeKey) => `${row?.epoch ?? ''}.${row?.lasts?.[storeKey] ?? 0}`);
}
