import type { NewEvent } from '../../domain/event/event.js';
import { hourOf } from '../../domain/order/count-buckets.js';
import type { NewOrder } from '../../domain/order/new-order.js';
import type { Queryable } from '../database.js';
import { newOrderText, type StoreFacts } from './order-json.js';

/** An order on its way in, with the event that tells of it and the Idempotency-Key it came under. */
export interface TakenOrder {
  readonly order: NewOrder;
  readonly event: NewEvent;
  readonly clientKey: string | undefined;
  /** Against which version of the menu it was checked, and for whom. */
  readonly checked?: { readonly menuVersion: number; readonly keyId: string } | undefined;
}

export interface InsertedOrders {
  /** The JSON of each order that was made, by its id. */
  readonly made: ReadonlyMap<string, string>;
  readonly lastSequence: number | undefined;
}

interface TakeInRow {
  readonly made: readonly string[];
  readonly last_sequence: number | null;
  readonly store: StoreFacts;
}

/**
 * Writes orders of one store in one statement; those it did not make met an external_id or an Idempotency-Key that was
 * there before. Running it again makes nothing twice. A key that another process used in the same moment fails the whole
 * statement with a unique violation, and nothing is written.
 */
export async function insertOrders(
  db: Queryable,
  storeKey: number,
  countSlot: number,
  taken: readonly TakenOrder[],
): Promise<InsertedOrders> {
  const given = [storeKey, countSlot, JSON.stringify(taken.map(arriving))];
  const checked = taken.flatMap(checkedOrder);
  const [row] = await db.query<{ answer: TakeInRow }>(
    checked.length === 0
      ? {
          name: 'orders-take-in',
          text: 'SELECT take_in_orders($1, $2, $3) AS answer',
          values: given,
          repeatable: true,
        }
      : {
          name: 'orders-take-in-checked',
          text: 'SELECT take_in_checked_orders($1, $2, $3, $4) AS answer',
          values: [...given, JSON.stringify(checked)],
          repeatable: true,
        },
  );
  if (row === undefined) throw new Error('take_in_orders gave no answer');
  const { made, last_sequence: last, store } = row.answer;
  const orders = new Map(taken.map(({ order }) => [order.id, order]));
  const texts = new Map<string, string>();
  for (const id of made) {
    const order = orders.get(id);
    if (order !== undefined) texts.set(id, newOrderText(order, store));
  }
  return { made: texts, lastSequence: last ?? undefined };
}

function checkedOrder({ order, checked }: TakenOrder): object[] {
  if (checked === undefined) return [];
  const { menuVersion, keyId } = checked;
  return [{ order_id: order.id, at: order.arrivedAt, key_id: keyId, menu_version: menuVersion }];
}

/** As the type arriving_order has it; what is undefined becomes NULL. */
function arriving({ order, event, clientKey }: TakenOrder): object {
  return {
    id: order.id,
    created_at: order.createdAt,
    ready_by: order.readyBy,
    completed_at: order.completedAt,
    updated_at: order.arrivedAt,
    status: order.status,
    is_read: order.isRead,
    in_pos: order.inPos,
    price: order.price,
    tax: order.tax,
    external_id: order.externalId,
    fingerprint: order.fingerprint,
    customer_name: order.customerName,
    customer_phone: order.customerPhone,
    customer_comments: order.customerComments,
    items: order.items,
    name: order.name,
    digits: order.digits,
    is_long: order.isLong,
    grams: order.grams,
    hour: hourOf(order.createdMs),
    client_key: clientKey,
    event_id: event.id,
    event_data: event.data,
  };
}

/** An order that was there before, and the fingerprint of the body that it came with. */
export interface EarlierOrder {
  readonly id: string;
  readonly fingerprint: string;
}

/** The order that a request under the Idempotency-Key made, or met by its external_id. */
export async function findByClientKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
): Promise<EarlierOrder | undefined> {
  const [row] = await db.query<EarlierOrder>({
    name: 'orders-by-client-key',
    text: `
      SELECT k.order_id AS id, encode(k.fingerprint, 'hex') AS fingerprint
      FROM order_intake_keys k WHERE k.store_key = $1 AND k.client_key = $2`,
    values: [storeKey, clientKey],
    repeatable: true,
  });
  return row;
}

export async function findByExternalId(
  db: Queryable,
  storeKey: number,
  externalId: string,
): Promise<EarlierOrder | undefined> {
  const [row] = await db.query<EarlierOrder>({
    name: 'orders-by-external-id',
    text: `
      SELECT o.id, encode(o.fingerprint, 'hex') AS fingerprint
      FROM orders o WHERE o.store_key = $1 AND o.external_id = $2`,
    values: [storeKey, externalId],
    repeatable: true,
  });
  return row;
}

/** Keeps the Idempotency-Key for an order that came before it; false where it is kept already, for whatever order. */
export async function keepClientKey(
  db: Queryable,
  storeKey: number,
  clientKey: string,
  earlier: EarlierOrder,
): Promise<boolean> {
  const kept = await db.query({
    name: 'orders-keep-client-key',
    text: `
      INSERT INTO order_intake_keys (store_key, client_key, order_id, fingerprint, taken_at)
      VALUES ($1, $2, $3, decode($4, 'hex'), $5)
      ON CONFLICT DO NOTHING
      RETURNING 1`,
    values: [storeKey, clientKey, earlier.id, earlier.fingerprint, new Date()],
    repeatable: true,
  });
  return kept.length > 0;
}
