import type { NewEvent } from '../events/event.js';
import type { Queryable } from '../postgres/database.js';
import { hourOf } from './list/counts.sql.js';
import { factsIn, OUTCOMES, soldOf } from './sales/sales.js';
import type { AMENDED_FIELDS } from './status.js';
import {
  managedOrderColumns,
  STORE_ROW,
  storeJsonOf,
  TEXT_BYTES,
  toManagedOrder,
  type ManagedOrderRow,
  type OrderState,
  type ShownManagedOrder,
} from './json.sql.js';

/** An order as a decision about its change needs it, with the JSON of its store. */
export interface ChangeableOrder {
  readonly order: ShownManagedOrder;
  readonly store: string;
  /** The reasons for which it was said to need attention. */
  readonly raised: readonly string[];
  /** JSON text, of an order that was checked against the menu. */
  readonly lineTotals: string | undefined;
}

type ChangeableRow = {
  readonly id: string;
  readonly store: string;
  readonly attention_raised: readonly string[] | null;
  readonly line_totals: string | null;
} & (ManagedOrderRow | { readonly items: null });

const MOST_BYTES_AT_ONCE = 4_000_000;

/** Reads the orders that exist. Once enough bytes have been read for one run, the rest are undefined. */
export async function readChangeableOrders(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<Map<string, ChangeableOrder | undefined>> {
  const rows = await db.read<ChangeableRow>({
    name: 'orders-changeable',
    text: CHANGEABLE,
    values: [storeKey, ids],
  });
  const store = storeJsonOf(rows[0]);
  return new Map(
    rows.map((row) => [
      row.id,
      row.items === null
        ? undefined
        : {
            order: toManagedOrder(row),
            store,
            raised: row.attention_raised ?? [],
            lineTotals: row.line_totals ?? undefined,
          },
    ]),
  );
}

// The running size leaves the content of large orders for another run; the first always comes.
const CHANGEABLE = `
  SELECT st.store, o.attention_raised, o.line_totals, ${managedOrderColumns(`o.size_before < ${MOST_BYTES_AT_ONCE}`)} FROM ${STORE_ROW}
  CROSS JOIN (
    SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY o.id) - ${TEXT_BYTES} AS size_before
    FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = wanted.id OFFSET 0) o
  ) o`;

/** How many orders a bill has at most, the oldest first. */
const MOST_OWED = 100;

/** Orders of a place that are not rejected or cancelled and have something due; numbers only those have that can be paid. */
export function owedAt(place: string): string {
  return `o.place_id = ${place} AND o.number IS NOT NULL AND coalesce(o.due, o.price + o.tax) <> 0
        AND o.status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED')
      ORDER BY o.created_at LIMIT ${MOST_OWED}`;
}

export async function findOwed(db: Queryable, storeKey: number, placeId: string): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'orders-owed',
    text: `
      SELECT o.id FROM orders o
      WHERE o.store_key = $1 AND ${owedAt('$2')}`,
    values: [storeKey, placeId],
  });
  return rows.map(({ id }) => id);
}

/** One field and its value before and after; undefined where it had or has none. */
export interface FieldChange {
  readonly field:
    | 'status'
    | 'is_read'
    | 'in_pos'
    | 'ready_by'
    | 'customer_comments'
    | 'reason'
    | 'reason_text'
    | (typeof AMENDED_FIELDS)[number]
    | 'payments';
  readonly from: unknown;
  readonly to: unknown;
}

/** One decided change of an order: several may follow one another. */
export interface OrderStep {
  readonly revision: number;
  readonly at: string;
  /** null for what the service does by the clock. */
  readonly keyId: string | null;
  readonly via?: 'mcp' | undefined;
  readonly fields: readonly FieldChange[];
}

export interface OrderEvent {
  readonly orderId: string;
  readonly event: NewEvent;
}

interface OrderChange {
  readonly before: ShownManagedOrder;
  readonly state: OrderState;
  readonly steps: readonly OrderStep[];
  /** The columns of what was ordered and said, where that has changed. */
  readonly amended?: object | undefined;
  /** When the clock must look whether it needs attention. */
  readonly attentionAt: string | undefined;
}

interface ChangedOrders {
  /** The ids of those that nobody else had changed meanwhile. */
  readonly changed: ReadonlySet<string>;
  /** Whether menus do not show yet what is left. */
  readonly isUnshown: boolean;
  readonly lastSequence: number | undefined;
}

/** Sets the new states, with history, counts and events, in one statement; the events keep their order. */
export async function changeOrders(
  db: Queryable,
  storeKey: number,
  counterShard: number,
  changes: readonly OrderChange[],
  events: readonly OrderEvent[],
): Promise<ChangedOrders> {
  const [row] = await db.query<{
    answer: { changed: string[]; is_unshown: boolean; last_sequence: number | null };
  }>({
    name: 'orders-change',
    text: 'SELECT change_orders($1, $2, $3, $4, $5) AS answer',
    values: [
      storeKey,
      counterShard,
      JSON.stringify(changes.map(newState)),
      JSON.stringify(changes.flatMap(notes)),
      JSON.stringify(events.map(({ orderId, event }) => ({ order_id: orderId, ...event }))),
    ],
  });
  if (row === undefined) throw new Error('change_orders gave no answer');
  const { changed, is_unshown: isUnshown, last_sequence: lastSequence } = row.answer;
  return { changed: new Set(changed), isUnshown, lastSequence: lastSequence ?? undefined };
}

function newState({ before, state, steps, attentionAt, amended }: OrderChange): object {
  return {
    id: before.id,
    revision: before.revision,
    new_revision: before.revision + steps.length,
    updated_at: steps.at(-1)?.at,
    hour: hourOf(Date.parse(before.createdAt)),
    old_status: before.status,
    status: state.status,
    ...movedSold(before, state),
    is_read: state.isRead,
    in_pos: state.inPos,
    ready_by: state.readyBy,
    completed_at: state.completedAt,
    customer_comments: state.customerComments,
    reason: state.reason,
    reason_text: state.reasonText,
    attention_at: attentionAt,
    amended,
  };
}

/** What the sales take away and add: nothing where the order counts as before, and no lines that stay. */
function movedSold(before: ShownManagedOrder, state: OrderState): object {
  const { status, items, price, tax, facts } = state;
  const isOutcomeSame = OUTCOMES[before.status] === OUTCOMES[status];
  const areSumsSame = items === before.items && price === before.price && tax === before.tax;
  if (areSumsSame && facts === before.facts) return { sold: isOutcomeSame ? undefined : soldOf(state) };
  const count = areSumsSame && isOutcomeSame ? factsIn : soldOf;
  return { old_price: before.price, old_tax: before.tax, former: count(before), sold: count(state) };
}

function notes({ before, steps }: OrderChange): object[] {
  return steps.flatMap(({ revision, at, keyId, via, fields }) =>
    fields.map(({ field, from, to }) => ({
      order_id: before.id,
      revision,
      field,
      changed_at: at,
      key_id: keyId,
      via,
      old_value: from,
      new_value: to,
    })),
  );
}

export interface HistoryRow {
  readonly time: Date;
  readonly key_id: string | null;
  readonly via: string | null;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Every change of an order, oldest first, after the version of the menu that it was checked against. */
export async function readHistory(db: Queryable, storeKey: number, id: string): Promise<HistoryRow[]> {
  return db.read<HistoryRow>({
    name: 'orders-history',
    text: `
      SELECT h.changed_at AS time, h.key_id, h.via, h.field, h.old_value AS "from", h.new_value AS "to"
      FROM order_history h WHERE h.store_key = $1 AND h.order_id = $2
      ORDER BY h.revision, h.field`,
    values: [storeKey, id],
  });
}

/** An entry of the history, as the API returns it. */
export function toChange({ time, key_id, via, field, from, to }: HistoryRow) {
  return {
    time: time.toISOString(),
    ...(key_id === null ? {} : { key_id }),
    ...(via === null ? {} : { via }),
    field,
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}
