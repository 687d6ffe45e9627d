import type { Queryable } from '../database.js';

/** The stores someone may write to; undefined means every one. */
export interface StoreScope {
  readonly merchantId?: string | undefined;
  readonly storeIds?: readonly string[] | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The numbers of those stores that exist and lie in the scope, by id. */
export async function findStoreKeys(
  db: Queryable,
  ids: readonly string[],
  scope: StoreScope,
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; store_key: number }>({
    name: 'orders-store-keys',
    text: `
      SELECT s.id, s.store_key FROM stores s
      WHERE s.id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR s.merchant_id = $2)
        AND ($3::uuid[] IS NULL OR s.id = ANY ($3))`,
    values: [ids.filter((id) => UUID.test(id)), scope.merchantId ?? null, scope.storeIds ?? null],
    repeatable: true,
  });
  return new Map(rows.map((row) => [row.id, row.store_key]));
}
