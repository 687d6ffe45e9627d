import { MOVING_STORES } from '../../access/api-key-lookup.sql.js';
import type { Queryable } from '../../postgres/database.js';
import type { AttentionSettings } from './attention-clock.js';
import type { EventOrder } from '../events.js';
import { PLACE_LABEL, toPlace, type PlaceColumns } from '../json.sql.js';

export const DUE_AT_ONCE = 1_000;

/** The orders of all stores that the clock must look at, the longest overdue first, by store. */
export async function findDueOrders(db: Queryable, now: Date): Promise<Map<number, string[]>> {
  const rows = await db.read<{ store_key: number; id: string }>({
    name: 'orders-due',
    text: `SELECT o.store_key, o.id FROM orders o WHERE o.attention_at <= $1 AND o.store_key NOT IN (${MOVING_STORES})
           ORDER BY o.attention_at LIMIT ${DUE_AT_ONCE}`,
    values: [now],
  });
  const stores = new Map<number, string[]>();
  for (const { store_key: storeKey, id } of rows) stores.set(storeKey, [...(stores.get(storeKey) ?? []), id]);
  return stores;
}

interface WatchSettings extends AttentionSettings {
  readonly accept?: { readonly within_minutes?: number; readonly then: 'nothing' | 'reject' } | undefined;
}

/** undefined where the store was deleted. */
export async function readWatchSettings(db: Queryable, storeKey: number): Promise<WatchSettings | undefined> {
  const [row] = await db.query<{ accept: WatchSettings['accept'] | null; minutes: number | null }>({
    name: 'orders-watch-settings',
    text: `SELECT s.accept, s.in_pos_within_minutes AS minutes FROM stores s WHERE s.store_key = $1`,
    values: [storeKey],
  });
  return row && { accept: row.accept ?? undefined, inPosWithinMinutes: row.minutes ?? undefined };
}

export interface DueOrder extends EventOrder {
  readonly inPos: boolean;
  readonly raised: readonly string[];
}

interface DueRow extends Omit<DueOrder, 'readyBy' | 'externalId' | 'number' | 'place'>, PlaceColumns {
  readonly readyBy: Date;
  readonly externalId: string | null;
  readonly number: number | null;
}

/** Locks the orders that are still due, and skips those that another writer has locked. */
export async function lockDueOrders(
  tx: Queryable,
  storeKey: number,
  ids: readonly string[],
  now: Date,
): Promise<DueOrder[]> {
  const rows = await tx.query<DueRow>({
    name: 'orders-due-lock',
    text: `SELECT o.id, o.status, o.in_pos AS "inPos", o.ready_by AS "readyBy", o.external_id AS "externalId", o.revision,
             o.price, o.tax, o.number, coalesce(o.attention_raised, '{}') AS raised, o.place_id, o.place_kind, ${PLACE_LABEL}
           FROM orders o WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[]) AND o.attention_at <= $3
           ORDER BY o.id FOR UPDATE SKIP LOCKED`,
    values: [storeKey, ids, now],
  });
  return rows.map(({ place_id, place_label, place_kind, ...row }) => ({
    ...row,
    readyBy: row.readyBy.toISOString(),
    externalId: row.externalId ?? undefined,
    number: row.number ?? undefined,
    place: toPlace({ place_id, place_label, place_kind }),
  }));
}

/** Keeps what was raised, and when to look again. */
export async function setAttention(
  tx: Queryable,
  storeKey: number,
  orders: readonly {
    readonly id: string;
    readonly raised: readonly string[];
    readonly nextMs: number | undefined;
  }[],
): Promise<void> {
  await tx.query({
    name: 'orders-due-set',
    text: `UPDATE orders o SET attention_at = d.at, attention_raised = d.raised
           FROM json_to_recordset($2::json) AS d (id uuid, at timestamptz, raised text[])
           WHERE o.store_key = $1 AND o.id = d.id`,
    values: [
      storeKey,
      JSON.stringify(
        orders.map(({ id, raised, nextMs }) => ({
          id,
          at: nextMs === undefined ? null : new Date(nextMs).toISOString(),
          raised,
        })),
      ),
    ],
  });
}

/** Keeps that a reason was raised; returns the orders for which it had not been. */
export async function markRaised(
  tx: Queryable,
  storeKey: number,
  ids: readonly string[],
  reason: string,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'orders-mark-raised',
    text: `UPDATE orders o SET attention_raised = array_append(o.attention_raised, $3)
           WHERE o.store_key = $1 AND o.id = ANY ($2::uuid[]) AND $3 <> ALL (coalesce(o.attention_raised, '{}'))
           RETURNING o.id`,
    values: [storeKey, ids, reason],
  });
  return new Set(rows.map(({ id }) => id));
}
