import type { Place } from '../../access/principal.js';
import { businessDay } from '../../calendar/wall-clock.js';
import type { NewEvent } from '../../events/event.js';
import type { Queryable } from '../../postgres/database.js';
import { hourOf } from '../list/counts.sql.js';
import { managedOrderJson, storeJson, toShownStore, type StoreFacts } from '../json.sql.js';
import { searchArgument } from '../../pace/kitchen.sql.js';
import type { SlotSearch } from '../../pace/pace.js';
import type { NewOrder } from './new-order.js';
import { localHourOf } from '../sales/sales.js';
import type { Portion } from './portions.js';

/** An order on its way in, with the event that tells of it and the Idempotency-Key it came under. */
export interface TakenOrder {
  readonly order: NewOrder;
  readonly event: NewEvent;
  readonly clientKey: string | undefined;
  /** Against which version of the menu it was checked, for whom, and what each line came to, as JSON text. */
  readonly checked?:
    { readonly menuVersion: number; readonly keyId: string; readonly lineTotals: string } | undefined;
  /** How long it takes, and the slot of a checked order. Absent in a store without settings for its kitchen. */
  readonly place?: KitchenSlot | undefined;
  readonly portions?: readonly Portion[] | undefined;
  /** When the clock checks whether it needs attention. */
  readonly attentionAt?: string | undefined;
  /** Whether the clock must also check it at the time it is given. */
  readonly mayBeLate?: boolean;
  readonly guest?: GuestOrder | undefined;
}

/** The place of a guest's order, and how many open orders the place may have. */
export interface GuestOrder {
  readonly place: Place;
  /** SHA-256 of the token that the guest follows the order with, by the id of the order. */
  readonly tokenHash: (orderId: string) => Buffer;
  readonly mostOpen: number;
  /** At most `count` orders within `ms`. */
  readonly mostRecent: { readonly count: number; readonly ms: number } | undefined;
}

/** How long an order takes, and where it gets its slot; it is refused where there is none. */
export interface KitchenSlot {
  readonly prepMinutes: number;
  readonly search?: SlotSearch | undefined;
}

export interface MadeOrder {
  readonly order: NewOrder;
  readonly json: string;
}

/** An order that finds no slot, asks for more of counted items than is left, or is one too many of its place. */
export interface RefusedOrder {
  readonly id: string;
  readonly reason: 'slot' | 'stock' | 'place';
  /** What is left of the counted items that it asks for. */
  readonly left?: readonly { readonly entity_id: number; readonly left: number }[];
}

export interface InsertedOrders {
  /** Each order that was made, with its JSON, by its id. */
  readonly made: ReadonlyMap<string, MadeOrder>;
  /** Why checked orders were refused, by their id. */
  readonly refused: ReadonlyMap<string, RefusedOrder>;
  /** Whether menus do not show yet what is left. */
  readonly isUnshown: boolean;
  readonly lastSequence: number | undefined;
}

interface TakeInRow {
  readonly made: readonly string[];
  /** By the id of the order. */
  readonly numbers: Readonly<Record<string, number>> | null;
  readonly refusals: readonly RefusedOrder[];
  /** The `ready_by` of those that were given a slot. */
  readonly given: Readonly<Record<string, string>> | null;
  readonly is_unshown: boolean;
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
  counterShard: number,
  taken: readonly TakenOrder[],
): Promise<InsertedOrders> {
  const [first] = taken;
  const day = first && businessDay(Date.parse(first.order.arrivedAt), first.order.timezone);
  const [row] = await db.query<{ answer: TakeInRow }>({
    name: 'orders-take-in',
    text: 'SELECT take_in_orders($1, $2, $3) AS answer',
    values: [storeKey, counterShard, JSON.stringify(taken.map((one) => arriving(one, day)))],
    repeatable: true,
  });
  if (row === undefined) throw new Error('take_in_orders gave no answer');
  const { made, numbers, refusals, given, is_unshown: isUnshown, last_sequence: last, store } = row.answer;
  const orders = new Map(taken.map(({ order }) => [order.id, order]));
  const storeText = storeJson(toShownStore(store));
  const written = new Map<string, MadeOrder>();
  for (const id of made) {
    const arrived = orders.get(id);
    if (arrived === undefined) continue;
    const order = { ...arrived, readyBy: given?.[id] ?? arrived.readyBy, number: numbers?.[id] };
    const json = managedOrderJson({ ...order, revision: 1, updatedAt: order.arrivedAt }, storeText);
    written.set(id, { order, json });
  }
  const refused = new Map(refusals.map((refusal) => [refusal.id, refusal]));
  return { made: written, refused, isUnshown, lastSequence: last ?? undefined };
}

/** The row for the SQL type arriving_order; undefined becomes NULL. */
function arriving(
  { order, event, clientKey, checked, place, portions, attentionAt, mayBeLate, guest }: TakenOrder,
  day: number | undefined,
): object {
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
    local_hour: localHourOf(order.createdMs, order.timezone),
    sold_ids: order.sold.map((line) => line.external_id),
    sold_units: order.sold.map(({ units }) => units),
    sold_prices: order.sold.map(({ price }) => price),
    sold_taxes: order.sold.map(({ tax }) => tax),
    client_key: clientKey,
    event_id: event.id,
    event_data: event.data,
    checked_menu_version: checked?.menuVersion,
    checked_by: checked?.keyId,
    portions,
    item_count: order.itemCount,
    attention_at: attentionAt,
    prep_minutes: place?.prepMinutes,
    slot_search: place?.search && searchArgument(place.search),
    may_be_late: mayBeLate,
    number_day: day,
    facts: order.facts,
    due: order.due === order.price + order.tax ? undefined : order.due,
    reference_keys: order.referenceKeys,
    line_totals: checked?.lineTotals,
    place_id: guest?.place.id,
    place_label: guest?.place.label,
    place_kind: guest?.place.kind,
    guest_token: guest?.tokenHash(order.id).toString('hex'),
    most_open: guest?.mostOpen,
    most_recent: guest?.mostRecent?.count,
    recent_since: guest?.mostRecent && new Date(order.createdMs - guest.mostRecent.ms).toISOString(),
  };
}

/** An order that was there before, and the fingerprint of the body that it came with. */
export interface EarlierOrder {
  readonly id: string;
  readonly fingerprint: string;
}

export async function findByExternalId(
  db: Queryable,
  storeKey: number,
  externalId: string,
): Promise<EarlierOrder | undefined> {
  const [row] = await db.read<EarlierOrder>({
    name: 'orders-by-external-id',
    text: `
      SELECT o.id, encode(o.fingerprint, 'hex') AS fingerprint
      FROM orders o WHERE o.store_key = $1 AND o.external_id = $2`,
    values: [storeKey, externalId],
  });
  return row;
}
