import type { Queryable } from '../database.js';

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
