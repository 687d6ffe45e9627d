import { NotFound } from '../domain/errors.js';
import type { Mark } from '../domain/menu/marks.js';
import type { Queryable } from './database.js';
import type { MenuState } from './menu-versions.js';

/** The marks of a store as JSON text, a list of [id, in_stock, prep_type], to be parsed where nothing waits for it. */
export const MARKS_TEXT = `
  coalesce((SELECT json_agg(json_build_array(m.entity_id, m.in_stock, m.prep_type))
            FROM menu_marks m WHERE m.store_key = $1)::text, '[]')`;

interface StockMarks {
  /** Entities whose stock is marked, by id. */
  readonly inStock: ReadonlyMap<number, boolean>;
  /** Bytes of the longest prep_type, as JSON writes it at most. */
  readonly longestPrepType: number;
}

export async function readStockMarks(tx: Queryable, storeKey: number): Promise<StockMarks> {
  const [row] = await tx.query<{ marks: string | null; longest: number | null }>({
    name: 'menu-marks-read',
    text: `SELECT (json_agg(json_build_array(m.entity_id, m.in_stock)) FILTER (WHERE m.in_stock IS NOT NULL))::text
                    AS marks,
                  max(octet_length(to_json(m.prep_type)::text)) AS longest
      FROM menu_marks m WHERE m.store_key = $1`,
    values: [storeKey],
  });
  const marks = JSON.parse(row?.marks ?? '[]') as [number, boolean][];
  return { inStock: new Map(marks), longestPrepType: row?.longest ?? 0 };
}

export async function readMarksText(tx: Queryable, storeKey: number): Promise<string> {
  const [row] = await tx.query<{ marks: string }>({
    name: 'menu-marks-text',
    text: `SELECT ${MARKS_TEXT} AS marks`,
    values: [storeKey],
  });
  return row?.marks ?? '[]';
}

/** The state of a menu and its stock, as of one moment. */
export interface StockState {
  readonly state: MenuState;
  /** Another for every publication, also for one that has the number of one that was lost in a failover. */
  readonly publication: string;
  /** Whether an entity is marked to be in stock, by its id. */
  readonly marks: ReadonlyMap<number, boolean>;
}

export async function readStockState(db: Queryable, storeKey: number): Promise<StockState> {
  const [row] = await db.query<{
    menu_version: number;
    stock_revision: number;
    publication: string | null;
    marks: string | null;
  }>({
    name: 'menu-marks-state',
    text: `SELECT s.menu_version, s.stock_revision,
        encode(v.content_hash, 'hex') || ' ' || v.published_at::text AS publication,
        (SELECT json_agg(json_build_array(m.entity_id, m.in_stock))::text
         FROM menu_marks m WHERE m.store_key = $1 AND m.in_stock IS NOT NULL) AS marks
      FROM menu_states s LEFT JOIN menu_versions v ON v.store_key = $1 AND v.version = s.menu_version
      WHERE s.store_key = $1`,
    values: [storeKey],
    repeatable: true,
  });
  if (row === undefined) throw new NotFound('Store');
  return {
    state: { version: row.menu_version, stockRevision: row.stock_revision },
    publication: row.publication ?? '',
    marks: new Map(JSON.parse(row.marks ?? '[]') as [number, boolean][]),
  };
}

/** external_ids of the store's modifier items that are marked sold out. */
export async function findSoldOutModifiers(db: Queryable, storeKey: number): Promise<string[]> {
  const rows = await db.query<{ external_id: string }>({
    name: 'menu-marks-sold-out-modifiers',
    text: `SELECT e.external_id FROM menu_entities e JOIN menu_marks m ON m.store_key = $1 AND m.entity_id = e.id
      WHERE e.store_key = $1 AND e.kind = 'modifier_item' AND m.in_stock = false`,
    values: [storeKey],
    repeatable: true,
  });
  return rows.map(({ external_id }) => external_id);
}

export async function findMark(tx: Queryable, storeKey: number, entityId: number): Promise<Mark> {
  const [row] = await tx.query<{ in_stock: boolean | null; prep_type: string | null }>({
    name: 'menu-marks-find',
    text: `SELECT m.in_stock, m.prep_type FROM menu_marks m WHERE m.store_key = $1 AND m.entity_id = $2`,
    values: [storeKey, entityId],
  });
  return {
    ...(typeof row?.in_stock === 'boolean' ? { inStock: row.in_stock } : {}),
    ...(typeof row?.prep_type === 'string' ? { prepType: row.prep_type } : {}),
  };
}

export async function putMark(tx: Queryable, storeKey: number, entityId: number, mark: Mark): Promise<void> {
  await tx.query({
    name: 'menu-marks-put',
    text: `INSERT INTO menu_marks (store_key, entity_id, in_stock, prep_type) VALUES ($1, $2, $3, $4)
      ON CONFLICT (store_key, entity_id) DO UPDATE SET in_stock = excluded.in_stock, prep_type = excluded.prep_type`,
    values: [storeKey, entityId, mark.inStock ?? null, mark.prepType ?? null],
  });
}

/** What was posted has taken the place of these marks. */
export async function clearStockMarks(
  tx: Queryable,
  storeKey: number,
  entityIds: readonly number[],
): Promise<void> {
  await tx.query({
    name: 'menu-marks-clear',
    text: `UPDATE menu_marks m SET in_stock = NULL
      FROM unnest(string_to_array($2, ',')::bigint[]) AS given (entity_id)
      WHERE m.store_key = $1 AND m.entity_id = given.entity_id`,
    values: [storeKey, entityIds.join(',')],
  });
}
