import { MOVING_STORES } from '../../access/api-key-lookup.sql.js';
import { withoutNulls } from '../../postgres/without-nulls.js';
import { NotFound } from '../../support/errors.js';
import type { KeptMark, StockOfMark } from './marks.js';
import type { Queryable } from '../../postgres/database.js';
import type { StockedKind } from '../kinds.js';
import type { MenuState } from '../versions/versions.sql.js';
import type { SoldOut } from '../publish/warnings.js';

/** The marks of a store as JSON text, a list of [id, in_stock, prep_type], to be parsed where nothing waits for it. */
export const OVERRIDES_TEXT = `
  coalesce((SELECT json_agg(json_build_array(m.entity_id, CASE WHEN m.is_out THEN false ELSE m.in_stock END, m.prep_type))
            FROM menu_marks m WHERE m.store_key = $1)::text, '[]')`;

const COUNTS_TEXT = `(SELECT json_agg(json_build_array(m.entity_id, m.remaining))::text
         FROM menu_marks m WHERE m.store_key = $1 AND m.remaining IS NOT NULL)`;

interface StoreMarks {
  /** Of entities whose stock is marked, or of which none is left, by id. */
  readonly stock: ReadonlyMap<number, StockOfMark>;
  /** Bytes of the longest prep_type, as JSON writes it at most. */
  readonly longestPrepType: number;
}

export async function readStockMarks(tx: Queryable, storeKey: number): Promise<StoreMarks> {
  const [row] = await tx.query<{ marks: string | null; longest: number | null }>({
    name: 'menu-marks-read',
    text: `SELECT (json_agg(json_build_array(m.entity_id, m.in_stock, m.remaining))
                    FILTER (WHERE m.in_stock IS NOT NULL OR m.remaining = 0))::text AS marks,
                  max(octet_length(to_json(m.prep_type)::text)) AS longest
      FROM menu_marks m WHERE m.store_key = $1`,
    values: [storeKey],
  });
  const marks = JSON.parse(row?.marks ?? '[]') as [number, boolean | null, number | null][];
  const stock = marks.map(([id, inStock, left]): [number, StockOfMark] => [
    id,
    { inStock: inStock ?? undefined, left: left ?? undefined },
  ]);
  return { stock: new Map(stock), longestPrepType: row?.longest ?? 0 };
}

export async function readMarksText(tx: Queryable, storeKey: number): Promise<string> {
  const [row] = await tx.query<{ marks: string }>({
    name: 'menu-marks-text',
    text: `SELECT ${OVERRIDES_TEXT} AS marks`,
    values: [storeKey],
  });
  return row?.marks ?? '[]';
}

/** The state of a menu and its stock, as of one moment. */
export async function readStockState(db: Queryable, storeKey: number) {
  const [row] = await db.read<
    MenuState & { publication: string | null; marks: string | null; counts: string | null }
  >({
    name: 'menu-marks-state',
    text: `SELECT s.menu_version AS version, s.stock_revision AS "stockRevision",
        encode(v.content_hash, 'hex') || ' ' || v.published_at::text AS publication,
        (SELECT json_agg(json_build_array(m.entity_id, m.in_stock))::text
         FROM menu_marks m WHERE m.store_key = $1 AND m.in_stock IS NOT NULL) AS marks,
        ${COUNTS_TEXT} AS counts
      FROM menu_states s LEFT JOIN menu_versions v ON v.store_key = $1 AND v.version = s.menu_version
      WHERE s.store_key = $1`,
    values: [storeKey],
  });
  if (row === undefined) throw new NotFound('Store');
  return {
    state: { version: row.version, stockRevision: row.stockRevision },
    /** New with each publication, even if its number was used before by one that a failover lost. */
    publication: row.publication ?? '',
    /** Whether an entity is marked to be in stock, by its id. */
    marks: new Map(JSON.parse(row.marks ?? '[]') as [number, boolean][]),
    counts: toCounts(row.counts),
  };
}

/** How many are left now of what the store counts, by id. */
export async function readCounts(db: Queryable, storeKey: number): Promise<ReadonlyMap<number, number>> {
  const [row] = await db.read<{ counts: string | null }>({
    name: 'menu-marks-counts',
    text: `SELECT ${COUNTS_TEXT} AS counts`,
    values: [storeKey],
  });
  return toCounts(row?.counts ?? null);
}

function toCounts(text: string | null): ReadonlyMap<number, number> {
  return new Map(JSON.parse(text ?? '[]') as [number, number][]);
}

/** external_ids of what the store has marked sold out. */
export async function findSoldOut(db: Queryable, storeKey: number): Promise<SoldOut> {
  const rows = await db.read<{ kind: StockedKind; external_id: string }>({
    name: 'menu-marks-sold-out',
    // Few entities are marked, so the marks are read first: probing them for every entity takes 5 to 13 ms.
    text: `WITH marked AS MATERIALIZED (
        SELECT m.entity_id FROM menu_marks m WHERE m.store_key = $1 AND (m.in_stock = false OR m.is_out))
      SELECT e.kind, e.external_id FROM marked JOIN menu_entities e ON e.id = marked.entity_id
      WHERE e.store_key = $1 AND e.kind IN ('item', 'modifier_item')`,
    values: [storeKey],
  });
  const ofKind = (kind: StockedKind) => rows.flatMap((row) => (row.kind === kind ? [row.external_id] : []));
  return { item: ofKind('item'), modifier_item: ofKind('modifier_item') };
}

/** Reads and locks the marks of these entities, by id: orders count them down without locking the menu. */
export function lockMarks(
  tx: Queryable,
  storeKey: number,
  entityIds: readonly number[],
): Promise<Map<number, KeptMark>> {
  return lockWhere(tx, 'menu-marks-lock', 'm.entity_id = ANY ($2::bigint[])', [storeKey, entityIds]);
}

/** Locks the marks that end by `now`, and those whose count menus do not show yet. */
export function lockUnsettled(tx: Queryable, storeKey: number, now: Date): Promise<Map<number, KeptMark>> {
  const isUnsettled = '(m.until <= $2 OR m.remaining IS NOT NULL AND (m.remaining = 0) <> m.is_out)';
  return lockWhere(tx, 'menu-marks-unsettled', isUnsettled, [storeKey, now]);
}

type MarkRow = Omit<KeptMark, 'until'> & { readonly entity_id: number; readonly until: Date | null };

async function lockWhere(
  tx: Queryable,
  name: string,
  condition: string,
  values: readonly unknown[],
): Promise<Map<number, KeptMark>> {
  const rows = await tx.query<MarkRow>({
    name,
    text: `SELECT m.entity_id, m.in_stock AS "inStock", m.prep_type AS "prepType", m.until, m.remaining AS left
      FROM menu_marks m WHERE m.store_key = $1 AND ${condition} ORDER BY m.entity_id FOR UPDATE`,
    values,
  });
  return new Map(
    rows.map(({ entity_id: id, until, ...mark }) => [
      id,
      { ...withoutNulls(mark), until: until?.toISOString() },
    ]),
  );
}

export async function putMarks(
  tx: Queryable,
  storeKey: number,
  marks: Iterable<readonly [entityId: number, mark: KeptMark]>,
): Promise<void> {
  const rows = [...marks].map(([entityId, { inStock, prepType, until, left }]) => ({
    entity_id: entityId,
    in_stock: inStock,
    prep_type: prepType,
    until,
    remaining: left,
    is_out: left === 0,
  }));
  if (rows.length === 0) return;
  await tx.query({
    name: 'menu-marks-put',
    text: `INSERT INTO menu_marks (store_key, entity_id, in_stock, prep_type, until, remaining, is_out)
      SELECT $1, m.entity_id, m.in_stock, m.prep_type, m.until, m.remaining, m.is_out
      FROM json_to_recordset($2::json) AS m (entity_id bigint, in_stock boolean, prep_type text, until timestamptz,
        remaining integer, is_out boolean)
      ON CONFLICT (store_key, entity_id) DO UPDATE SET in_stock = excluded.in_stock, prep_type = excluded.prep_type,
        until = excluded.until, remaining = excluded.remaining, is_out = excluded.is_out`,
    values: [storeKey, JSON.stringify(rows)],
  });
}

/** Moves the stock revision, and keeps with the menu's state what of the marks other rooms ask for. */
export async function setStockRevision(tx: Queryable, storeKey: number, revision: number): Promise<void> {
  const [summary] = await tx.query<{ due_at: Date | null; is_counted: boolean }>({
    name: 'menu-marks-summary',
    text: `SELECT min(m.until) AS due_at, count(m.remaining) > 0 AS is_counted FROM menu_marks m WHERE m.store_key = $1`,
    values: [storeKey],
  });
  await tx.query({
    name: 'menu-marks-revise',
    text: `UPDATE menu_states SET stock_revision = $2, due_at = $3, is_counted = $4 WHERE store_key = $1`,
    values: [storeKey, revision, summary?.due_at ?? null, summary?.is_counted ?? false],
  });
}

const STORES_AT_ONCE = 100;

/** Stores with a mark whose time has come, or a count that menus do not show because a process was killed. */
export async function findUnsettledStores(db: Queryable, now: Date): Promise<number[]> {
  const due = await db.read<{ store_key: number }>({
    name: 'menu-states-due',
    text: `SELECT s.store_key FROM menu_states s WHERE s.due_at <= $1 AND s.store_key NOT IN (${MOVING_STORES})
      ORDER BY s.due_at LIMIT ${STORES_AT_ONCE}`,
    values: [now],
  });
  const unshown = await db.read<{ store_key: number }>({
    name: 'menu-marks-unshown',
    text: `SELECT DISTINCT m.store_key FROM menu_marks m
      WHERE m.remaining IS NOT NULL AND (m.remaining = 0) <> m.is_out AND m.store_key NOT IN (${MOVING_STORES})
      LIMIT ${STORES_AT_ONCE}`,
  });
  return [...new Set([...due, ...unshown].map(({ store_key }) => store_key))];
}

interface StoreStations {
  /** Whether an order is READY once all its stations are done. */
  readonly readyWhenDone: boolean;
  /** Where each item is prepared (`prep_type`), by its external_id. */
  readonly prepTypes: ReadonlyMap<string, string>;
}

export async function readStations(db: Queryable, storeKey: number): Promise<StoreStations> {
  const [row] = await db.read<{ is_ready: boolean | null; stations: string | null }>({
    name: 'menu-stations',
    text: `SELECT s.ready_when_done AS is_ready, (
             SELECT json_object_agg(e.external_id, m.prep_type)::text FROM menu_marks m
             JOIN menu_entities e ON e.store_key = m.store_key AND e.id = m.entity_id AND e.kind = 'item'
             WHERE m.store_key = $1 AND m.prep_type IS NOT NULL) AS stations
           FROM stores s WHERE s.store_key = $1`,
    values: [storeKey],
  });
  const stations = JSON.parse(row?.stations ?? '{}') as Record<string, string>;
  return { readyWhenDone: row?.is_ready === true, prepTypes: new Map(Object.entries(stations)) };
}
