import type { ChangePlace } from '../../domain/order/change-cursor.js';
import type { OrderStatus } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import { managedOrderMembers, STORE_ROW, TEXT_BYTES } from './order-json.js';

/** Past this much of items an answer ends early; it holds at least one order. */
const MOST_BYTES = 1_000_000;

export interface ManagedFilter {
  readonly ids?: readonly string[] | undefined;
  readonly externalId?: string | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly isRead?: boolean | undefined;
  readonly inPos?: boolean | undefined;
  /** Only orders after this one. */
  readonly after: ChangePlace;
}

export interface ManagedOrders {
  /** The JSON of each. */
  readonly orders: readonly string[];
  /** Where to go on. */
  readonly end: ChangePlace;
  readonly hasMore: boolean;
}

/** Up to so many orders of the wanted statuses are sorted; of more, the list by last change is read through. */
const FEW_OF_STATUS = 5_000;
/** How many orders are looked through for one answer where a filter wants few of them. */
const MOST_LOOKED_AT = 10_000;

interface ListRow {
  readonly id: string | null;
  readonly updated_at: Date | null;
  readonly json: string | null;
  readonly looked_at: number;
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
    db.query<ListRow>({ name, text, values: [...values, ...more], repeatable: true });

  if (filter.ids !== undefined) {
    const rows = await run('orders-managed-by-id', list(BY_ID), [filter.ids, filter.externalId ?? null]);
    return toPage(rows, filter.after, limit, filter.ids.length + 1);
  }
  if (filter.externalId !== undefined) {
    const rows = await run('orders-managed-by-external-id', list(BY_EXTERNAL_ID), [filter.externalId]);
    return toPage(rows, filter.after, limit, 2);
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

/** `most` is how many would have been looked at, had there been more. */
function toPage(rows: readonly ListRow[], after: ChangePlace, limit: number, most: number): ManagedOrders {
  const orders: string[] = [];
  let end = after;
  for (const { id, updated_at: at, json } of rows) {
    if (id === null || at === null) continue;
    if (orders.length === limit || json === null) return { orders, end, hasMore: true };
    orders.push(json);
    end = { updatedMs: at.getTime(), id };
  }
  const [first] = rows;
  if (first?.last_at == null || first.last_id === null) return { orders, end, hasMore: false };
  const hasMore = first.looked_at >= most;
  const last = { updatedMs: first.last_at.getTime(), id: first.last_id };
  return { orders, end: hasMore ? last : end, hasMore };
}

const COLUMNS = 'o.id, o.updated_at, o.status, o.is_read, o.in_pos';
const AFTER = '(o.updated_at, o.id) > ($2::timestamptz, $3::uuid)';
const BY_ID = `
  SELECT ${COLUMNS} FROM orders o
  WHERE o.store_key = $1 AND o.id = ANY ($8::uuid[]) AND ($9::text IS NULL OR o.external_id = $9)`;
const BY_EXTERNAL_ID = `
  SELECT ${COLUMNS} FROM orders o WHERE o.store_key = $1 AND o.external_id = $8`;
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
    SELECT w.id, w.updated_at, w.json, far.looked_at, far.last_at, far.last_id
    FROM (
      SELECT count(*)::integer AS looked_at, max(l.updated_at) AS last_at,
        (SELECT l.id FROM looked l ORDER BY l.updated_at DESC, l.id DESC LIMIT 1) AS last_id
      FROM looked l
    ) far
    LEFT JOIN (
      SELECT o.id, o.updated_at, CASE WHEN o.size_before < ${MOST_BYTES} THEN '{' || ${managedOrderMembers('st.info')} || '}' END AS json
      FROM ${STORE_ROW}
      CROSS JOIN (
        SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY c.updated_at, c.id) - ${TEXT_BYTES} AS size_before
        FROM chosen c
        CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = c.id OFFSET 0) o
      ) o
    ) w ON true
    ORDER BY w.updated_at, w.id`;
}
