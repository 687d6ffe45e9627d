import type { Queryable } from '../../postgres/database.js';
import { EARLIEST_MS, LATEST_MS } from '../../support/datetime.js';
import { FIRST_ID, LAST_ID } from '../../support/shape/id-cursor.js';
import { isResourceId } from '../../support/uuid.js';
import {
  managedOrderColumns,
  managedOrderJson,
  STORE_ROW,
  storeJsonOf,
  TEXT_BYTES,
  toManagedOrder,
  type ManagedOrderRow,
} from '../json.sql.js';
import { referenceKey } from '../facts.js';
import type { OrderStatus } from '../status.js';

/** An order's place in the list by last change: when, and which of those changed then. */
export interface ChangeCursor {
  /** Milliseconds since 1970. */
  readonly updatedMs: number;
  readonly id: string;
}

const FORM = /^(-?\d{1,16})\.(.*)$/;

/** Before every order. */
export const FIRST_PLACE: ChangeCursor = { updatedMs: EARLIEST_MS, id: FIRST_ID };

/** After every order that was changed at the moment, or before it. */
export function placeAfter(updatedMs: number): ChangeCursor {
  return { updatedMs, id: LAST_ID };
}

export function isLater(one: ChangeCursor, other: ChangeCursor): boolean {
  return one.updatedMs === other.updatedMs ? one.id > other.id : one.updatedMs > other.updatedMs;
}

export function encodeChangeCursor({ updatedMs, id }: ChangeCursor): string {
  return Buffer.from(`${updatedMs}.${id}`).toString('base64url');
}

/** undefined for a text that no cursor has. */
export function decodeChangeCursor(text: string): ChangeCursor | undefined {
  const [, ms = '', id = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = { updatedMs: Number(ms), id };
  const isWhole = isResourceId(id) && place.updatedMs >= EARLIEST_MS && place.updatedMs <= LATEST_MS;
  return isWhole && encodeChangeCursor(place) === text ? place : undefined;
}

/** Past this much of items an answer ends early; it holds at least one order. */
const MOST_BYTES = 1_000_000;

export interface ManagedFilter {
  readonly ids?: readonly string[] | undefined;
  readonly externalId?: string | undefined;
  /** Its name, a colon and its value. */
  readonly reference?: string | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly isRead?: boolean | undefined;
  readonly inPos?: boolean | undefined;
  /** Only orders after this one. */
  readonly after: ChangeCursor;
}

export interface ManagedOrders {
  /** The JSON of each. */
  readonly orders: readonly string[];
  /** Where to go on. */
  readonly end: ChangeCursor;
  readonly hasMore: boolean;
}

/** Up to this many orders of the wanted statuses are sorted; with more, the list by last change is read through. */
const FEW_OF_STATUS = 5_000;
/** How many orders are looked through for one answer where a filter wants few of them. */
const MOST_LOOKED_AT = 10_000;

/** An order that is wanted and has its place in the answer, or none; each row tells how far the look went. */
type ListRow = Look & ((ManagedOrderRow & { readonly store: string }) | { readonly id: null });

interface Look {
  readonly looked_at: number;
  /** How many are wanted, up to one more than the limit. */
  readonly wanted: number;
  readonly last_at: Date | null;
  readonly last_id: string | null;
}

/** Orders of a store by their last change, oldest first. */
export async function listByChange(
  db: Queryable,
  storeKey: number,
  filter: ManagedFilter,
  limit: number,
): Promise<ManagedOrders> {
  const values = [
    storeKey,
    new Date(filter.after.updatedMs).toISOString(),
    filter.after.id,
    filter.statuses ?? null,
    filter.isRead ?? null,
    filter.inPos ?? null,
    limit + 1,
  ];
  const run = (name: string, text: string, more: readonly unknown[]) =>
    db.read<ListRow>({ name, text, values: [...values, ...more] });

  const [name, value] = filter.reference === undefined ? [null, null] : splitReference(filter.reference);
  if (filter.ids !== undefined) {
    const more = [filter.ids, filter.externalId ?? null, name, value];
    const rows = await run('orders-managed-by-id', list(BY_ID), more);
    return toPage(rows, filter.after, limit, filter.ids.length + 1);
  }
  if (filter.externalId !== undefined) {
    const more = [filter.externalId, name, value];
    const rows = await run('orders-managed-by-external-id', list(BY_EXTERNAL_ID), more);
    return toPage(rows, filter.after, limit, 2);
  }
  if (name !== null) {
    const rows = await run('orders-managed-by-reference', list(BY_REFERENCE), [
      referenceKey(storeKey, name, value),
      name,
      value,
      MOST_LOOKED_AT,
    ]);
    return toPage(rows, filter.after, limit, MOST_LOOKED_AT);
  }
  if (filter.statuses !== undefined) {
    const rows = await run('orders-managed-by-status', list(BY_STATUS), [FEW_OF_STATUS + 1]);
    if ((rows[0]?.looked_at ?? 0) <= FEW_OF_STATUS)
      return toPage(rows, filter.after, limit, FEW_OF_STATUS + 1);
  }
  const isNarrow = filter.statuses ?? filter.isRead ?? filter.inPos;
  const most = isNarrow === undefined ? limit + 1 : MOST_LOOKED_AT;
  return toPage(await run('orders-managed-by-change', list(BY_CHANGE), [most]), filter.after, limit, most);
}

function splitReference(text: string): [name: string, value: string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** `most` is how many would have been looked at, had there been more. */
function toPage(rows: readonly ListRow[], after: ChangeCursor, limit: number, most: number): ManagedOrders {
  const found = rows.filter((row) => row.id !== null).slice(0, limit);
  const store = storeJsonOf(found[0]);
  const shown = found.map(toManagedOrder);
  const orders = shown.map((order) => managedOrderJson(order, store));
  const last = shown.at(-1);
  const end = last === undefined ? after : { updatedMs: Date.parse(last.updatedAt), id: last.id };
  const [look] = rows;
  if (look === undefined || look.wanted > found.length) return { orders, end, hasMore: look !== undefined };
  if (look.last_at === null || look.last_id === null || look.looked_at < most)
    return { orders, end, hasMore: false };
  return { orders, end: { updatedMs: look.last_at.getTime(), id: look.last_id }, hasMore: true };
}

const COLUMNS = 'o.id, o.updated_at, o.status, o.is_read, o.in_pos';
const AFTER = '(o.updated_at, o.id) > ($2::timestamptz, $3::uuid)';
const refersTo = (name: string, value: string) =>
  `(${name}::text IS NULL OR o.facts::json -> 'references' ->> ${name} = ${value}::text)`;
const BY_ID = `
  SELECT ${COLUMNS} FROM orders o
  WHERE o.store_key = $1 AND o.id = ANY ($8::uuid[]) AND ($9::text IS NULL OR o.external_id = $9)
    AND ${refersTo('$10', '$11')}`;
const BY_EXTERNAL_ID = `
  SELECT ${COLUMNS} FROM orders o WHERE o.store_key = $1 AND o.external_id = $8 AND ${refersTo('$9', '$10')}`;
const BY_REFERENCE = `
  SELECT ${COLUMNS} FROM orders o
  WHERE o.store_key = $1 AND o.reference_keys @> ARRAY[$8::integer] AND ${AFTER}
    AND ${refersTo('$9', '$10')}
  ORDER BY o.updated_at, o.id LIMIT $11`;
// The number found is what tells whether there are few of them, so nothing else may narrow it.
const BY_STATUS = `
  SELECT ${COLUMNS} FROM unnest($4::order_status[]) AS wanted (status)
  CROSS JOIN LATERAL (
    SELECT * FROM orders o WHERE o.store_key = $1 AND o.status = wanted.status
    ORDER BY o.created_at LIMIT $8
  ) o LIMIT $8`;
const BY_CHANGE = `
  SELECT ${COLUMNS} FROM orders o WHERE o.store_key = $1 AND ${AFTER}
  ORDER BY o.updated_at, o.id LIMIT $8`;

/** `source` gives the orders that are looked at; the row of each that is wanted also tells how far the look went. */
function list(source: string): string {
  return `
    WITH looked AS MATERIALIZED (${source}),
    chosen AS MATERIALIZED (
      SELECT o.id, o.updated_at FROM looked o
      WHERE ${AFTER}
        AND ($4::order_status[] IS NULL OR o.status = ANY ($4))
        AND ($5::boolean IS NULL OR o.is_read = $5) AND ($6::boolean IS NULL OR o.in_pos = $6)
      ORDER BY o.updated_at, o.id LIMIT $7
    )
    SELECT far.looked_at, far.wanted, far.last_at, far.last_id, w.*
    FROM (
      SELECT count(*)::integer AS looked_at, max(l.updated_at) AS last_at,
        (SELECT l.id FROM looked l ORDER BY l.updated_at DESC, l.id DESC LIMIT 1) AS last_id,
        (SELECT count(*)::integer FROM chosen) AS wanted
      FROM looked l
    ) far
    LEFT JOIN (
      SELECT o.size_before, st.store, ${managedOrderColumns()}
      FROM ${STORE_ROW}
      CROSS JOIN (
        SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY c.updated_at, c.id) - ${TEXT_BYTES} AS size_before
        FROM chosen c
        CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = c.id OFFSET 0) o
      ) o
      WHERE o.size_before < ${MOST_BYTES}
    ) w ON true
    ORDER BY w.size_before`;
}
