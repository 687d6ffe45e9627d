import type { Queryable } from '../database.js';

/*
 * A cursor whose known events are all sent is at rest: its `lease_until` is null. Whoever writes an event wakes the cursors
 * that rest before it, so that nobody has to ask every store all the time. A `lease_until` in the past means that there is,
 * or may be, something to send, and that any process may claim the cursor.
 */

/** Wakes the cursors that rest before the last event of their store, given by store key. */
export async function wakeCursors(db: Queryable, lastSequences: ReadonlyMap<number, number>): Promise<void> {
  if (lastSequences.size === 0) return;
  await db.query({
    name: 'webhook_cursors_wake',
    text: `UPDATE webhook_cursors c SET lease_until = clock_timestamp()
           FROM unnest($1::integer[], $2::bigint[]) AS told (store_key, last)
           WHERE c.store_key = told.store_key AND c.lease_until IS NULL AND c.sequence < told.last`,
    values: [[...lastSequences.keys()], [...lastSequences.values()]],
    repeatable: true,
  });
}

/**
 * The last events of stores where a cursor rests before it: whoever wrote them has ended without waking it. Looks at every
 * store of an active endpoint.
 */
export async function findMissedWakes(db: Queryable): Promise<Map<number, number>> {
  const rows = await db.query<{ store_key: number; last_sequence: number }>({
    name: 'webhook_cursors_missed_wakes',
    text: `SELECT e.store_key, e.last_sequence
           FROM event_counters e JOIN (
             SELECT c.store_key, min(c.sequence) AS sequence
             FROM webhooks w JOIN webhook_cursors c ON c.webhook_id = w.id
             WHERE w.status = 'active' AND c.lease_until IS NULL
             GROUP BY c.store_key
           ) AS resting ON resting.store_key = e.store_key
           WHERE e.last_sequence > resting.sequence
           LIMIT 10000`,
    repeatable: true,
  });
  return new Map(rows.map((row) => [row.store_key, row.last_sequence]));
}

/** The stores of which some endpoint is told, and how many endpoints cannot be signed for with this box. */
export async function readWatchedStores(
  db: Queryable,
  sealedWith: string | undefined,
): Promise<{ storeKeys: Set<number>; unreadable: number }> {
  const [row] = await db.query<{ storeKeys: number[] | null; unreadable: number }>({
    name: 'webhooks_watched',
    text: `SELECT (
             SELECT array_agg(DISTINCT c.store_key)
             FROM webhooks w JOIN webhook_cursors c ON c.webhook_id = w.id
             WHERE w.status = 'active') AS "storeKeys", (
             SELECT count(*) FROM webhooks w
             WHERE w.status = 'active' AND w.sealed_with IS DISTINCT FROM $1) AS unreadable`,
    values: [sealedWith],
    repeatable: true,
  });
  return { storeKeys: new Set(row?.storeKeys ?? []), unreadable: row?.unreadable ?? 0 };
}
