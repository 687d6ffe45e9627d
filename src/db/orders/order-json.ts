import type { OrderState } from '../../domain/order/change.js';
import type { NewOrder } from '../../domain/order/new-order.js';

/**
 * An order's JSON is put together as text, mostly in SQL: the rows need not be taken apart and serialised again on the
 * one thread that answers every request. Where this process has the values at hand, it writes the same text itself.
 * In SQL `o` is the order's alias.
 */

function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`;
}

function optional(field: string, value: string): string {
  return `coalesce(',"${field}":' || ${value}, '')`;
}

/** StorePartialInfo of the store whose row has the alias `s`, as it is now. */
const STORE_INFO = `(
  '{"created_at":' || ${instant('s.created_at')} || ',"id":"' || s.id || '","name":' || s.name
  || ${optional('external_id', 'to_json(s.external_id)')} || '}')`;

/** A row `st` whose `info` is the StorePartialInfo of the store $1; OFFSET 0 keeps it from being made anew for each order. */
export const STORE_ROW = `(SELECT ${STORE_INFO} AS info FROM stores s WHERE s.store_key = $1 OFFSET 0) st`;

const STORE_INFO_OF_FIRST_PARAMETER = `(SELECT ${STORE_INFO} FROM stores s WHERE s.store_key = $1)`;

/** The members that never change, those before the status; `storeInfo` is an SQL expression. */
export function headMembers(storeInfo: string): string {
  return `'"created_at":' || ${instant('o.created_at')} || ',"id":"' || o.id || '","store":' || ${storeInfo}
  || ',"customer":{"name":' || to_json(o.customer_name) || ',"phone":' || to_json(o.customer_phone) || '}'`;
}

/** The members that never change, those after the status. */
export const BODY_MEMBERS = `'"price":' || o.price || ',"tax":' || o.tax || ',"items":' || o.items`;

/** The members of an Order, without the braces; `storeInfo` is an SQL expression. */
export function orderMembers(storeInfo: string): string {
  return `${headMembers(storeInfo)} || ',"status":"' || o.status || '",' || ${BODY_MEMBERS}
  || ',"ready_by":' || ${instant('o.ready_by')} || ',"is_read":' || o.is_read || ',"in_pos":' || o.in_pos
  || ${optional('customer_comments', 'to_json(o.customer_comments)')}
  || ${optional('completed_at', instant('o.completed_at'))}`;
}

/** The same with what the manage side shows of an order beside. */
export function managedOrderMembers(storeInfo: string): string {
  return `${orderMembers(storeInfo)} || ${optional('external_id', 'to_json(o.external_id)')}
  || ',"revision":' || o.revision || ',"updated_at":' || ${instant('o.updated_at')}`;
}

/** What of an order never changes, as JSON text. */
export interface FixedMembers {
  readonly head: string;
  readonly body: string;
}

/** The same text as the SQL above makes, for an order whose state is known here. */
export function orderText({ head, body }: FixedMembers, state: OrderState): string {
  const { status, readyBy, isRead, inPos, customerComments, completedAt } = state;
  const comments =
    customerComments === undefined ? '' : `,"customer_comments":${JSON.stringify(customerComments)}`;
  const completed = completedAt === undefined ? '' : `,"completed_at":"${completedAt}"`;
  return `{${head},"status":"${status}",${body},"ready_by":"${readyBy}","is_read":${isRead},"in_pos":${inPos}${comments}${completed}}`;
}

/** A store's row as a function of the database gives it; `name` is JSON text. */
export interface StoreFacts {
  readonly id: string;
  readonly created_at: string;
  readonly name: string;
  readonly external_id: string | null;
}

export function newOrderText(order: NewOrder, store: StoreFacts): string {
  const externalId = store.external_id === null ? '' : `,"external_id":${JSON.stringify(store.external_id)}`;
  const info = `{"created_at":"${new Date(store.created_at).toISOString()}","id":"${store.id}","name":${store.name}${externalId}}`;
  const customer = `{"name":${JSON.stringify(order.customerName)},"phone":${JSON.stringify(order.customerPhone)}}`;
  return orderText(
    {
      head: `"created_at":"${order.createdAt}","id":"${order.id}","store":${info},"customer":${customer}`,
      body: `"price":${order.price},"tax":${order.tax},"items":${order.items}`,
    },
    order,
  );
}

/** How much text an order `o` holds, as UTF-8; known without reading what is stored apart from its row. */
export const TEXT_BYTES = `(octet_length(o.items) + octet_length(o.customer_name) + octet_length(o.customer_phone)
  + coalesce(octet_length(o.customer_comments), 0))`;

/** More than this much text of one order is not read together with others. */
const LARGE_BYTES = 16_384;

/** Stands around the id of an order in the place of the order; valid JSON never holds it. */
export const LARGE_MARK = '\u0001';

/** The orders `o` of a page as the text of a JSON list without its brackets. $1 is the store. */
export const LISTED = `string_agg(
  CASE WHEN ${TEXT_BYTES} > ${LARGE_BYTES} THEN '${LARGE_MARK}' || o.id || '${LARGE_MARK}'
       ELSE '{' || ${orderMembers(STORE_INFO_OF_FIRST_PARAMETER)} || '}' END, ',' ORDER BY o.created_at DESC, o.id DESC)`;

/** One line of the export: what the import takes. `storeId` is an SQL expression. */
export function importLine(storeId: string): string {
  return `'{"store_id":"' || ${storeId} || '"' || ${optional('external_id', 'to_json(o.external_id)')}
  || ',"created_at":' || ${instant('o.created_at')} || ',"status":"' || o.status
  || '","customer":{"name":' || to_json(o.customer_name) || ',"phone":' || to_json(o.customer_phone)
  || '},"items":' || o.items || ',"price":' || o.price || ',"tax":' || o.tax
  || ',"ready_by":' || ${instant('o.ready_by')}
  || ${optional('customer_comments', 'to_json(o.customer_comments)')}
  || ',"is_read":' || o.is_read || ',"in_pos":' || o.in_pos
  || ${optional('completed_at', instant('o.completed_at'))} || '}'`;
}
