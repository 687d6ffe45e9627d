import { createBatch } from './batch.js';
import type { Database, Queryable } from './database.js';
import { confirmingCallers, type ExpectedCaller } from './expected-caller.js';

const EPOCH = '(SELECT e.epoch FROM event_epoch e WHERE e.number = 1)';

/** The number of a store's last event, and its id: after a failover that has lost an event, another may bear its number. */
const LAST_EVENT = `c.last_sequence || '.' || coalesce(e.id::text, '')`;
const LAST_EVENTS = `event_counters c
  LEFT JOIN events e ON e.store_key = c.store_key AND e.sequence = c.last_sequence`;

/**
 * In a statement whose $1 is a store: a text that names the last change of the store, as of what the statement finds.
 * Whatever changes an order, or what is shown of the store with it, ends with an event, and a restore begins a new epoch.
 */
export const LAST_CHANGE = `(${EPOCH} || '.' || coalesce((
  SELECT ${LAST_EVENT} FROM ${LAST_EVENTS} WHERE c.store_key = $1), ''))`;

/** Names the last change of a store as it is now. */
export type ReadLastChange = (asked: AskedStore) => Promise<string>;

interface AskedStore {
  readonly storeKey: number;
  readonly expected?: ExpectedCaller | undefined;
}

/** Reads that wait at the same moment go as one query, which begins after each of them was asked for. */
export function createLastChangeReader(db: Database): ReadLastChange {
  return createBatch({
    run: (asked: readonly AskedStore[]) => {
      const callers = asked.flatMap(({ expected }) => expected ?? []);
      return readLastChanges(
        confirmingCallers(db, callers),
        asked.map(({ storeKey }) => storeKey),
      );
    },
  });
}

async function readLastChanges(db: Queryable, storeKeys: readonly number[]): Promise<string[]> {
  const [row] = await db.query<{ epoch: string; lasts: Record<string, string> | null }>({
    name: 'last-changes',
    text: `
      SELECT ${EPOCH} AS epoch, (
        SELECT json_object_agg(c.store_key, ${LAST_EVENT}) FROM ${LAST_EVENTS}
        WHERE c.store_key = ANY ($1::integer[])) AS lasts`,
    values: [storeKeys],
    repeatable: true,
  });
  return storeKeys.map((storeKey) => `${row?.epoch ?? ''}.${row?.lasts?.[storeKey] ?? ''}`);
}
