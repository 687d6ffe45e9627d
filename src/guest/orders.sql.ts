import {
  managedOrderColumns,
  toManagedOrder,
  type ManagedOrderRow,
  type ShownManagedOrder,
} from '../orders/json.sql.js';
import { createRowReader } from '../orders/read.sql.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { StoreTenant } from '../support/fair-semaphore.js';
import type { GuestOrder } from './shapes.js';

/** An order that a guest has made, with the hash of its token. */
export interface GuestsOrder extends ShownManagedOrder {
  readonly tokenHash: Buffer;
}

export type ReadGuestsOrder = (store: StoreTenant, id: string) => Promise<GuestsOrder | undefined>;

export function createGuestsOrderReader(db: Database): ReadGuestsOrder {
  const columns = `${managedOrderColumns()}, o.guest_token`;
  const read = createRowReader<ManagedOrderRow & { readonly guest_token: Buffer | null }>(
    db,
    'guest-order',
    columns,
  );
  return async (store, id) => {
    const row = await read(store, id);
    return row?.guest_token ? { ...toManagedOrder(row), tokenHash: row.guest_token } : undefined;
  };
}

/** What the guest ordered, where the store has changed it since; undefined where it has not, or where the lines are erased. */
export async function readOriginal(
  db: Queryable,
  storeKey: number,
  { id, revision, price, tax, items }: GuestsOrder,
): Promise<GuestOrder['original']> {
  if (revision === 1) return undefined;
  const rows = await db.read<{ field: string; value: unknown }>({
    name: 'guest-order-original',
    text: `SELECT DISTINCT ON (h.field) h.field, h.old_value AS value FROM order_history h
           WHERE h.store_key = $1 AND h.order_id = $2 AND h.field IN ('price', 'tax', 'items')
           ORDER BY h.field, h.revision`,
    values: [storeKey, id],
  });
  const areLinesErased = rows.some(({ field, value }) => field === 'items' && value === null);
  if (areLinesErased || rows.every(({ value }) => value === null)) return undefined;
  const first = Object.fromEntries(
    rows.flatMap(({ field, value }) => (value === null ? [] : [[field, value]])),
  );
  return { price, tax, items: JSON.parse(items) as object[], ...first } as GuestOrder['original'];
}

/** What a place has ordered. */
export interface PlaceLoad {
  readonly open: number;
  readonly recent: number;
  /** The oldest of the recent ones. */
  readonly oldest: Date | null;
}

export async function readPlaceLoad(
  db: Queryable,
  storeKey: number,
  placeId: string,
  since: Date,
): Promise<PlaceLoad> {
  const [row] = await db.read<PlaceLoad>({
    name: 'guest-place-load',
    text: `
      SELECT (SELECT count(*)::integer FROM orders o
              WHERE o.store_key = $1 AND o.place_id = $2 AND o.status = 'PENDING') AS open,
        count(*)::integer AS recent, min(o.created_at) AS oldest
      FROM orders o WHERE o.store_key = $1 AND o.place_id = $2 AND o.created_at > $3`,
    values: [storeKey, placeId, since],
  });
  return row ?? { open: 0, recent: 0, oldest: null };
}
