import type { Queryable } from '../postgres/database.js';
import { REFUSING, refuseMoving } from './moving.js';
import type { Principal } from './principal.js';

/** Whether the merchant of a row of `stores` is neither arriving here nor in another place. */
export const IS_IN_USE = `coalesce(stores.moving, '${REFUSING}') = '${REFUSING}'`;

/** How a request may name a merchant: by its id or by a store of it. */
export interface NamedMerchant {
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly storeKey?: number | undefined;
}

/** Whether and where to the merchant moves, as in `refuseMoving`. */
export async function readMoving(
  db: Queryable,
  { merchantId, storeId, storeKey }: NamedMerchant,
): Promise<string | undefined> {
  const [row] = await db.query<{ moving: string | null }>({
    name: 'merchant_moving',
    text: `SELECT m.moving FROM merchants m
           WHERE m.id = coalesce($1, (SELECT s.merchant_id FROM stores s WHERE s.store_key = $2 OR s.id = $3))`,
    values: [merchantId ?? null, storeKey ?? null, storeId ?? null],
  });
  return row?.moving ?? undefined;
}

/** Refuses to show an operator, whose own key does not move, a merchant that is not in use here. */
export async function refuseMovingNamed(
  db: Queryable,
  principal: Principal,
  named: NamedMerchant,
): Promise<void> {
  if (principal.kind === 'operator') refuseMoving(await readMoving(db, named), false);
}
