/**
 * An order's JSON is put together as text in SQL: the rows need not be taken apart and serialised again on the one
 * thread that answers every request. `o` is the order's alias.
 */

function instant(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`;
}

function optional(field: string, value: string): string {
  return `coalesce(',"${field}":' || ${value}, '')`;
}

/** StorePartialInfo of the store whose row has the alias `s`, as it is now. */
export const STORE_INFO = `(
  '{"created_at":' || ${instant('s.created_at')} || ',"id":"' || s.id || '","name":' || s.name
  || ${optional('external_id', 'to_json(s.external_id)')} || '}')`;

export const STORE_INFO_OF_FIRST_PARAMETER = `(SELECT ${STORE_INFO} FROM stores s WHERE s.store_key = $1)`;

/** The members of an Order, without the braces; `storeInfo` is an SQL expression. */
export function orderMembers(storeInfo: string): string {
  return `'"created_at":' || ${instant('o.created_at')} || ',"id":"' || o.id || '","store":' || ${storeInfo}
  || ',"customer":{"name":' || to_json(o.customer_name) || ',"phone":' || to_json(o.customer_phone)
  || '},"status":"' || o.status || '","price":' || o.price || ',"tax":' || o.tax || ',"items":' || o.items
  || ',"ready_by":' || ${instant('o.ready_by')} || ',"is_read":' || o.is_read || ',"in_pos":' || o.in_pos
  || ${optional('customer_comments', 'to_json(o.customer_comments)')}
  || ${optional('completed_at', instant('o.completed_at'))}`;
}

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
