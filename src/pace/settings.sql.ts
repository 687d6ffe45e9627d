import type { Queryable } from '../postgres/database.js';
import { DEFAULT_PACE, PIECE_MS, type Load, type Loads, type KeptPace } from './pace.js';

type Kept = Omit<KeptPace, 'revision'>;

/** The intake of a store as it is now; `isLocked` holds it until the transaction ends. */
export async function readIntake(db: Queryable, storeId: string, isLocked = false): Promise<KeptPace> {
  const [row] = await db.query<{ intake: Kept | null; intake_revision: number }>({
    name: isLocked ? 'intake-locked' : 'intake',
    text: `SELECT stores.intake, stores.intake_revision FROM stores WHERE stores.id = $1${isLocked ? ' FOR NO KEY UPDATE' : ''}`,
    values: [storeId],
    repeatable: !isLocked,
  });
  return row?.intake ? { ...row.intake, revision: row.intake_revision } : DEFAULT_PACE;
}

export async function writeIntake(
  db: Queryable,
  storeId: string,
  { revision, ...kept }: KeptPace,
): Promise<void> {
  await db.query({
    name: 'intake-write',
    text: 'UPDATE stores SET intake = $2, intake_revision = $3 WHERE stores.id = $1',
    values: [storeId, JSON.stringify(kept), revision],
  });
}

interface LoadRow {
  readonly start: Date;
  readonly orders: number;
  readonly items: number;
  readonly prep_minutes: number;
}

/** Reads the load by `ready_by`. */
export async function readLoads(db: Queryable, storeKey: number, from: number, to: number): Promise<Loads> {
  const rows = await db.query<LoadRow>({
    name: 'intake-loads',
    text: `SELECT date_bin('${PIECE_MS / 60_000} minutes', o.ready_by, '2000-01-01T00:00:00Z') AS start,
             count(*)::integer AS orders, sum(coalesce(o.item_count, 1))::integer AS items,
             sum(coalesce(o.prep_minutes, 0))::integer AS prep_minutes
           FROM orders o
           WHERE o.store_key = $1 AND o.ready_by >= $2 AND o.ready_by < $3
             AND o.status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED') AND o.ready_by >= '2026-11-01T00:00:00Z'
           GROUP BY 1`,
    values: [storeKey, new Date(from), new Date(to)],
    repeatable: true,
  });
  return new Map(
    rows.map(({ start, orders, items, prep_minutes: prepMinutes }): [number, Load] => [
      start.getTime(),
      { orders, items, prepMinutes },
    ]),
  );
}
