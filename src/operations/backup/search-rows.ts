import { searchedOrder } from '../../domain/order/new-order.js';

export const SEARCH_COLUMNS = ['store_key', 'id', 'created_at', 'is_long', 'name', 'digits', 'grams'];

/** The database turns numbers into texts and back where a column wants it; so must whoever reads the row beside it. */
interface OrderRow {
  readonly store_key: number | string;
  readonly id: string;
  readonly created_at: string;
  readonly customer_name: number | string;
  readonly customer_phone: number | string;
}

/** What the orders of an archive are found by, as a JSON list of rows: not archived, since it follows from the orders. */
export function searchRowsOf(orders: readonly Uint8Array[]): string {
  const rows = orders.map((bytes) => {
    const order = JSON.parse(Buffer.from(bytes).toString()) as OrderRow;
    const { isLong, name, digits, grams } = searchedOrder(
      Number(order.store_key),
      String(order.customer_name),
      String(order.customer_phone),
    );
    const { store_key, id, created_at } = order;
    return { store_key, id, created_at, is_long: isLong, name, digits, grams };
  });
  return JSON.stringify(rows);
}
