import type { ShownStore } from '../access/api-key-lookup.sql.js';
import type { Place, PlaceKind } from '../access/principal.js';
import type { OrderStatus } from './status.js';

/**
 * The columns an order is read by, and the one place that writes its JSON. In SQL `o` is the order's alias and $1 its store.
 */

/** What an Order shows. Instants are RFC 3339 in UTC; `items` is JSON text. */
export interface ShownOrder {
  readonly status: OrderStatus;
  readonly isRead: boolean;
  readonly inPos: boolean;
  readonly readyBy: string;
  readonly completedAt: string | undefined;
  readonly customerComments: string | undefined;
  /** Why the store rejected or cancelled it; shown on the manage side alone. */
  readonly reason?: string | undefined;
  readonly reasonText?: string | undefined;
  readonly id: string;
  readonly createdAt: string;
  readonly customerName: string;
  readonly customerPhone: string;
  readonly price: number;
  readonly tax: number;
  readonly items: string;
  /** Where the guest ordered it; the interface, which has no field for it, shows it with the name. */
  readonly place?: { readonly label: string } | undefined;
}

/** With what the manage side shows beside. */
export interface ShownManagedOrder extends ShownOrder {
  readonly externalId: string | undefined;
  readonly revision: number;
  readonly updatedAt: string;
  readonly place?: Place | undefined;
  /** What the store calls out. Orders from before have none, and their place is in the name. */
  readonly number?: number | undefined;
  /** JSON text of Facts. */
  readonly facts?: string | undefined;
  readonly due: number;
}

/** The fields of an order that can change. */
export interface OrderState extends Omit<
  ShownManagedOrder,
  'id' | 'createdAt' | 'externalId' | 'revision' | 'updatedAt' | 'place' | 'number'
> {
  /** JSON text: price and tax of each line of an order that was checked against the menu. */
  readonly lineTotals?: string | undefined;
}

/** A store's row as the database gives it; `name` is JSON text. */
export interface StoreFacts {
  readonly id: string;
  readonly created_at: string;
  readonly name: string;
  readonly external_id: string | null;
}

/** StorePartialInfo. */
export function storeJson({ id, createdAt, name, externalId }: ShownStore): string {
  const created = new Date(createdAt).toISOString();
  return `{"created_at":"${created}","id":"${id}","name":${name}${optionalText('external_id', externalId)}}`;
}

export function toShownStore({
  id,
  created_at: createdAt,
  name,
  external_id: externalId,
}: StoreFacts): ShownStore {
  return { id, createdAt, name, externalId: externalId ?? undefined };
}

export function orderJson(order: ShownOrder, store: string): string {
  return `{${members(order, store, nameAt(order.customerName, order.place))}}`;
}

/** The name as the interface shows it, and as it is searched for. */
export function nameAt(name: string, place: { readonly label: string } | undefined): string {
  if (place === undefined) return name;
  return name === '' ? place.label : `${name}, ${place.label}`;
}

export function managedOrderJson(order: ShownManagedOrder, store: string): string {
  const { externalId, revision, updatedAt } = order;
  return `{${members(order, store, order.customerName)}${optionalText('external_id', externalId)},"revision":${revision},"updated_at":"${updatedAt}"${wholeMembers(order)},"due":${order.due}}`;
}

function wholeMembers({ reason, reasonText, number, place, facts }: ShownManagedOrder): string {
  const reasons = optionalText('reason', reason) + optionalText('reason_text', reasonText);
  const called = number === undefined ? '' : `,"number":${number}`;
  const at = place === undefined ? '' : `,"place":${JSON.stringify(place)}`;
  return `${reasons}${called}${at}${facts === undefined ? '' : `,${facts.slice(1, -1)}`}`;
}

function members(order: ShownOrder, store: string, name: string): string {
  const { id, createdAt, status, price, tax, items, readyBy, isRead, inPos } = order;
  return (
    `"created_at":"${createdAt}","id":"${id}","store":${store},"customer":${customerJson(name, order)},"status":"${status}",` +
    `"price":${price},"tax":${tax},"items":${items},"ready_by":"${readyBy}","is_read":${isRead},"in_pos":${inPos}` +
    optionalText('customer_comments', order.customerComments) +
    optionalText('completed_at', order.completedAt)
  );
}

/** What the import takes. */
export function importedOrderJson(order: ShownManagedOrder, storeId: string): string {
  const { createdAt, status, price, tax, items, readyBy, isRead, inPos } = order;
  return (
    `{"store_id":"${storeId}"${optionalText('external_id', order.externalId)},"created_at":"${createdAt}","status":"${status}",` +
    `"customer":${customerJson(order.customerName, order)},"items":${items},"price":${price},"tax":${tax},"ready_by":"${readyBy}"` +
    `${optionalText('customer_comments', order.customerComments)},"is_read":${isRead},"in_pos":${inPos}` +
    `${optionalText('completed_at', order.completedAt)}${wholeMembers(order)}}`
  );
}

function customerJson(name: string, { customerPhone }: ShownOrder): string {
  return `{"name":${JSON.stringify(name)},"phone":${JSON.stringify(customerPhone)}}`;
}

function optionalText(name: string, text: string | null | undefined): string {
  return text === null || text === undefined ? '' : `,"${name}":${JSON.stringify(text)}`;
}

/** Reading a Date takes ten times as long as taking the text over. */
function asText(column: string): string {
  return `o.${column}::text AS ${column}`;
}

/** What no text of a caller is in, as one column: the driver takes as long for each column of a row as for a whole line. */
const HEAD = `concat_ws('|', o.status, o.is_read, o.in_pos, o.price, o.tax, o.ready_by, coalesce(o.completed_at::text, '')) AS head`;

/** From `2026-01-02 03:04:05.12+00`: connections use UTC, unless a pooler between has lost that setting. */
export function instant(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString();
  const time = text.slice(11, -3);
  return `${text.slice(0, 10)}T${time.length === 8 ? `${time}.000` : time.padEnd(12, '0')}Z`;
}

/** The columns of an OrderRow; with a condition, its texts are null where that does not hold, and so is `items`. */
export function orderColumns(hasTexts?: string): string {
  return `${commonColumns(hasTexts)}, CASE WHEN o.number IS NOT NULL THEN o.place_label END AS place_label`;
}

function commonColumns(hasTexts?: string): string {
  const text = (column: string) =>
    hasTexts === undefined ? `o.${column}` : `CASE WHEN ${hasTexts} THEN o.${column} END AS ${column}`;
  const texts = ['customer_name', 'customer_phone', 'customer_comments', 'items'].map(text);
  return `o.id, ${asText('created_at')}, ${HEAD}, ${texts.join(', ')}`;
}

/** What `orderColumns` and `TEXT_BYTES` read, for a select below them: of a table this wide, `*` takes a sixth longer. */
export const READ_COLUMNS = `o.id, o.created_at, o.status, o.is_read, o.in_pos, o.price, o.tax, o.ready_by, o.completed_at,
  o.customer_name, o.customer_phone, o.customer_comments, o.items, o.facts, o.number, o.place_label`;

/** The label of the order's place; one that has been renamed has its new label. */
export const PLACE_LABEL = `CASE WHEN o.place_id IS NOT NULL THEN coalesce(
  (SELECT p.label FROM places p WHERE p.store_key = o.store_key AND p.id = o.place_id), o.place_label) END AS place_label`;

/** The columns of a ManagedOrderRow. */
export function managedOrderColumns(hasTexts?: string): string {
  const own = [
    'external_id',
    'revision',
    'reason',
    'reason_text',
    'place_id',
    'place_kind',
    'number',
    'facts',
  ];
  return `${commonColumns(hasTexts)}, ${own.map((column) => `o.${column}`).join(', ')}, ${asText('updated_at')}, ${PLACE_LABEL},
    coalesce(o.due, o.price + o.tax) AS due`;
}

export interface OrderRow {
  readonly id: string;
  readonly created_at: string;
  readonly head: string;
  readonly customer_name: string;
  readonly customer_phone: string;
  readonly customer_comments: string | null;
  readonly items: string;
  readonly place_label: string | null;
}

/** The columns that say where a guest ordered. */
export interface PlaceColumns {
  readonly place_id: string | null;
  readonly place_label: string | null;
  readonly place_kind: PlaceKind;
}

export function toPlace({
  place_id: id,
  place_label: label,
  place_kind: kind,
}: PlaceColumns): Place | undefined {
  return id === null ? undefined : { id, label: label ?? '', kind };
}

export interface ManagedOrderRow extends OrderRow, PlaceColumns {
  readonly external_id: string | null;
  readonly revision: number;
  readonly updated_at: string;
  readonly reason: string | null;
  readonly reason_text: string | null;
  readonly number: number | null;
  readonly facts: string | null;
  readonly due: number;
}

export function toOrder(row: OrderRow): ShownOrder {
  const [status, isRead, inPos, price, tax, readyBy = '', completedAt = ''] = row.head.split('|');
  return {
    id: row.id,
    createdAt: instant(row.created_at),
    customerName: row.customer_name,
    customerPhone: row.customer_phone,
    status: status as OrderStatus,
    price: Number(price),
    tax: Number(tax),
    items: row.items,
    readyBy: instant(readyBy),
    isRead: isRead === 't',
    inPos: inPos === 't',
    customerComments: row.customer_comments ?? undefined,
    completedAt: completedAt === '' ? undefined : instant(completedAt),
    place: row.place_label === null ? undefined : { label: row.place_label },
  };
}

/** `{ ...toOrder(row), more }` would take fifteen times as long. */
export function toManagedOrder(row: ManagedOrderRow): ShownManagedOrder {
  return Object.assign(toOrder(row), {
    externalId: row.external_id ?? undefined,
    revision: row.revision,
    updatedAt: instant(row.updated_at),
    reason: row.reason ?? undefined,
    reasonText: row.reason_text ?? undefined,
    place: toPlace(row),
    number: row.number ?? undefined,
    facts: row.facts ?? undefined,
    due: row.due,
  });
}

/** A row `st` whose `store` is the text of StoreFacts; OFFSET 0 keeps it from being made anew for each order. */
export const STORE_ROW = `(
  SELECT json_build_object('id', s.id, 'created_at', s.created_at, 'name', s.name::text, 'external_id', s.external_id)::text AS store
  FROM stores s WHERE s.store_key = $1 OFFSET 0) st`;

/** The StorePartialInfo of a row with the column `store` of STORE_ROW. */
export function storeJsonOf(row: { readonly store: string } | undefined): string {
  return row === undefined ? '' : storeJson(toShownStore(JSON.parse(row.store) as StoreFacts));
}

/** How much text an order `o` holds, as UTF-8; known without reading what is stored apart from its row. */
export const TEXT_BYTES = `(octet_length(o.items) + octet_length(o.customer_name) + octet_length(o.customer_phone)
  + coalesce(octet_length(o.customer_comments), 0) + coalesce(octet_length(o.facts), 0))`;
