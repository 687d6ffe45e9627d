import type { Queryable } from '../postgres/database.js';

interface EventNumber {
  readonly storeKey: number;
  readonly sequence: number;
}

const MAX_LAGS = 1_000;

/** For an event counter `e` and a cursor `c`: the number of events still to send, and the first of them. */
const BEHIND = 'e.last_sequence - greatest(c.sequence, e.first_sequence - 1)';
const NEXT = 'greatest(c.sequence + 1, e.first_sequence)';

/** How far an endpoint is behind in each store, as the response shows it; the furthest behind first. */
export async function readLag(db: Queryable, webhookId: string, storeKey?: number) {
  const rows = await db.read<EventNumber & { readonly storeId: string; readonly behind: number }>({
    name: 'webhook_lag',
    text: `SELECT s.id AS "storeId", l.store_key AS "storeKey", l.behind, l.next AS sequence
           FROM (
             SELECT c.store_key, greatest(coalesce(${BEHIND}, 0), 0) AS behind, coalesce(${NEXT}, 0) AS next
             FROM webhook_cursors c LEFT JOIN event_counters e ON e.store_key = c.store_key
             WHERE c.webhook_id = $1 AND ($2::integer IS NULL OR c.store_key = $2)
             ORDER BY behind DESC, c.store_key LIMIT ${MAX_LAGS}) AS l
           JOIN stores s ON s.store_key = l.store_key
           ORDER BY l.behind DESC, l.store_key`,
    values: [webhookId, storeKey],
  });
  const late = rows.filter(({ behind }) => behind > 0);
  const times = new Map((await readTimes(db, late)).map(({ storeKey: key, at }) => [key, at]));
  return rows.map((row) => ({
    store_id: row.storeId,
    behind: row.behind,
    oldest_at: times.get(row.storeKey)?.toISOString(),
  }));
}

/** When each event happened, unless it is no longer kept. A statement of its own: stores may be on many nodes. */
async function readTimes(
  db: Queryable,
  events: readonly EventNumber[],
): Promise<{ storeKey: number; at: Date }[]> {
  if (events.length === 0) return [];
  return db.read({
    name: 'event_times',
    text: `SELECT e.store_key AS "storeKey", e.at
           FROM unnest($1::integer[], $2::bigint[]) AS p (store_key, sequence)
           JOIN events e ON e.store_key = p.store_key AND e.sequence = p.sequence`,
    values: [events.map(({ storeKey }) => storeKey), events.map(({ sequence }) => sequence)],
  });
}

/** Over all endpoints. */
export interface TotalLag {
  readonly events: number;
  readonly seconds: number;
  readonly active: number;
  readonly disabled: number;
}

/** Cursors whose oldest event is looked at: those furthest behind. */
const MAX_AGED = 200;

export async function readTotalLag(db: Queryable): Promise<TotalLag> {
  const [row] = await db.read<Omit<TotalLag, 'seconds'> & { oldest: EventNumber[]; now: Date }>({
    name: 'webhooks_total_lag',
    text: `
      WITH late AS (
        SELECT c.store_key, ${NEXT} AS next, ${BEHIND} AS behind
        FROM webhooks w JOIN webhook_cursors c ON c.webhook_id = w.id JOIN event_counters e ON e.store_key = c.store_key
        WHERE w.status = 'active' AND e.last_sequence > greatest(c.sequence, e.first_sequence - 1)
      )
      SELECT coalesce((SELECT sum(late.behind) FROM late), 0)::float8 AS events,
        (SELECT count(*) FROM webhooks w WHERE w.status = 'active') AS active,
        (SELECT count(*) FROM webhooks w WHERE w.status = 'disabled') AS disabled,
        (SELECT coalesce(json_agg(json_build_object('storeKey', old.store_key, 'sequence', old.next)), '[]')
         FROM (SELECT late.* FROM late ORDER BY late.behind DESC LIMIT ${MAX_AGED}) AS old) AS oldest,
        clock_timestamp() AS now`,
  });
  if (row === undefined) return { events: 0, seconds: 0, active: 0, disabled: 0 };
  const { events, active, disabled, oldest, now } = row;
  const times = (await readTimes(db, oldest)).map(({ at }) => at.getTime());
  const seconds = times.length === 0 ? 0 : (now.getTime() - Math.min(...times)) / 1000;
  return { events, seconds: Math.max(0, seconds), active, disabled };
}
