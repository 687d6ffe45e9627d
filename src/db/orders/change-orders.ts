import type { NewEvent } from '../../domain/event/event.js';
import { hourOf } from '../../domain/order/count-buckets.js';
import type { FieldChange, OrderState } from '../../domain/order/change.js';
import type { OrderStatus } from '../../domain/order/status.js';
import type { Queryable } from '../database.js';
import { BODY_MEMBERS, headMembers, STORE_ROW, TEXT_BYTES, type FixedMembers } from './order-json.js';

/** An order as a decision about its change needs it. */
export interface ChangeableOrder {
  readonly id: string;
  readonly createdAt: Date;
  readonly externalId: string | undefined;
  readonly price: number;
  readonly tax: number;
  readonly revision: number;
  readonly state: OrderState;
  /** undefined where the orders read before it were large enough for one run. */
  readonly fixed: FixedMembers | undefined;
}

interface ChangeableRow {
  readonly id: string;
  readonly created_at: Date;
  readonly external_id: string | null;
  readonly price: number;
  readonly tax: number;
  readonly revision: number;
  readonly status: OrderStatus;
  readonly is_read: boolean;
  readonly in_pos: boolean;
  readonly ready_by: Date;
  readonly completed_at: Date | null;
  readonly customer_comments: string | null;
  readonly head: string | null;
  readonly body: string | null;
}

const MOST_BYTES_AT_ONCE = 4_000_000;

/** Those of the store's orders that exist. */
export async function readChangeableOrders(
  db: Queryable,
  storeKey: number,
  ids: readonly string[],
): Promise<ChangeableOrder[]> {
  const rows = await db.query<ChangeableRow>({
    name: 'orders-changeable',
    text: CHANGEABLE,
    values: [storeKey, ids],
    repeatable: true,
  });
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    externalId: row.external_id ?? undefined,
    price: row.price,
    tax: row.tax,
    revision: row.revision,
    state: {
      status: row.status,
      isRead: row.is_read,
      inPos: row.in_pos,
      readyBy: row.ready_by.toISOString(),
      completedAt: row.completed_at?.toISOString(),
      customerComments: row.customer_comments ?? undefined,
    },
    fixed: row.head === null || row.body === null ? undefined : { head: row.head, body: row.body },
  }));
}

// The running size leaves the content of large orders for another run; the first always comes.
const CHANGEABLE = `
  SELECT o.id, o.created_at, o.external_id, o.price, o.tax, o.revision, o.status, o.is_read, o.in_pos, o.ready_by,
    o.completed_at, o.customer_comments,
    CASE WHEN o.size_before < ${MOST_BYTES_AT_ONCE} THEN ${headMembers('st.info')} END AS head,
    CASE WHEN o.size_before < ${MOST_BYTES_AT_ONCE} THEN ${BODY_MEMBERS} END AS body
  FROM ${STORE_ROW}
  CROSS JOIN (
    SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY o.id) - ${TEXT_BYTES} AS size_before
    FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM orders o WHERE o.store_key = $1 AND o.id = wanted.id OFFSET 0) o
  ) o`;

/** One decided change of an order: several may follow one another. */
export interface OrderStep {
  readonly revision: number;
  readonly at: string;
  readonly keyId: string;
  readonly fields: readonly FieldChange[];
}

export interface OrderEvent {
  readonly orderId: string;
  readonly event: NewEvent;
}

/** What is to become of an order, as it was read. */
interface OrderChange {
  readonly before: ChangeableOrder;
  readonly state: OrderState;
  readonly steps: readonly OrderStep[];
}

interface ChangedOrders {
  /** The ids of those that nobody else had changed meanwhile. */
  readonly changed: ReadonlySet<string>;
  readonly lastSequence: number | undefined;
}

/** Sets the new states, with history, counts and events, in one statement; the events keep their order. */
export async function changeOrders(
  db: Queryable,
  storeKey: number,
  countSlot: number,
  changes: readonly OrderChange[],
  events: readonly OrderEvent[],
): Promise<ChangedOrders> {
  const [row] = await db.query<{ answer: { changed: string[]; last_sequence: number | null } }>({
    name: 'orders-change',
    text: 'SELECT change_orders($1, $2, $3, $4, $5) AS answer',
    values: [
      storeKey,
      countSlot,
      JSON.stringify(changes.map(newState)),
      JSON.stringify(changes.flatMap(notes)),
      JSON.stringify(events.map(({ orderId, event }) => ({ order_id: orderId, ...event }))),
    ],
  });
  if (row === undefined) throw new Error('change_orders gave no answer');
  return { changed: new Set(row.answer.changed), lastSequence: row.answer.last_sequence ?? undefined };
}

function newState({ before, state, steps }: OrderChange): object {
  return {
    id: before.id,
    revision: before.revision,
    new_revision: before.revision + steps.length,
    updated_at: steps.at(-1)?.at,
    hour: hourOf(before.createdAt.getTime()),
    old_status: before.state.status,
    status: state.status,
    is_read: state.isRead,
    in_pos: state.inPos,
    ready_by: state.readyBy,
    completed_at: state.completedAt,
    customer_comments: state.customerComments,
  };
}

function notes({ before, steps }: OrderChange): object[] {
  return steps.flatMap(({ revision, at, keyId, fields }) =>
    fields.map(({ field, from, to }) => ({
      order_id: before.id,
      revision,
      field,
      changed_at: at,
      key_id: keyId,
      old_value: from,
      new_value: to,
    })),
  );
}

export interface HistoryRow {
  readonly time: Date;
  readonly key_id: string;
  readonly field: string;
  readonly from: string | boolean | number | null;
  readonly to: string | boolean | number | null;
}

/** Every change of an order, oldest first, after the version of the menu that it was checked against. */
export async function readHistory(db: Queryable, storeKey: number, id: string): Promise<HistoryRow[]> {
  return db.query<HistoryRow>({
    name: 'orders-history',
    text: `
      SELECT h.changed_at AS time, h.key_id, h.field, h.old_value AS "from", h.new_value AS "to"
      FROM order_history h WHERE h.store_key = $1 AND h.order_id = $2
      ORDER BY h.revision, h.field`,
    values: [storeKey, id],
    repeatable: true,
  });
}
