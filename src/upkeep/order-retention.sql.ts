import type { Queryable } from '../postgres/database.js';

/** How long a store keeps final orders, and their customers; null: for ever. */
export interface StoreRetention {
  readonly storeKey: number;
  readonly merchantId: string;
  readonly orderDays: number | null;
  readonly customerDays: number | null;
}

/** For stores that do not say. */
export interface RetentionDefaults {
  readonly orderDays?: number | undefined;
  readonly customerDays?: number | undefined;
}

const STORES_AT_ONCE = 500;

/** The next stores, by their number, that do not keep everything. */
export function listRetention(
  db: Queryable,
  afterKey: number,
  { orderDays, customerDays }: RetentionDefaults,
): Promise<StoreRetention[]> {
  return db.read<StoreRetention>({
    name: 'retention-stores',
    text: `SELECT s.store_key AS "storeKey", s.merchant_id AS "merchantId", coalesce(s.order_days, $2) AS "orderDays",
             coalesce(s.customer_days, $3) AS "customerDays"
           FROM stores s
           WHERE s.store_key > $1 AND s.moving IS NULL AND coalesce(s.order_days, s.customer_days, $2::integer, $3::integer) IS NOT NULL
           ORDER BY s.store_key LIMIT ${STORES_AT_ONCE}`,
    values: [afterKey, orderDays ?? null, customerDays ?? null],
  });
}
