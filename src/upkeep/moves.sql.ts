import { ARRIVING, REFUSING } from '../access/moving.js';
import { askEachNode } from '../postgres/citus-tables.js';
import type { Queryable, SharedDatabase } from '../postgres/database.js';
import { closeStores } from './deletions.sql.js';

/** Where a merchant is on its way: `moving` as in `refuseMoving`; null if it is here and stays. */
export interface Move {
  readonly moving: string | null;
  readonly until: Date | null;
  /** Of an arriving merchant: which snapshot of the old place it has been copied from. */
  readonly position: string | null;
}

export async function readMove(db: Queryable, merchantId: string): Promise<Move | undefined> {
  const [row] = await db.query<Move>({
    name: 'move-read',
    text: `SELECT m.moving, m.moving_until AS until, m.moving_position AS position FROM merchants m WHERE m.id = $1`,
    values: [merchantId],
  });
  return row;
}

export interface MovedMerchant {
  readonly id: string;
  readonly storeKeys: readonly number[];
}

/** Marks the merchant, and its stores, keys and webhooks, which are read without it. The caller has locked its row. */
export async function setMove(
  tx: Queryable,
  { id, storeKeys }: MovedMerchant,
  { moving, until, position }: Move,
): Promise<void> {
  await tx.query({
    name: 'move-merchant',
    text: `UPDATE merchants SET moving = $2, moving_until = $3, moving_position = $4 WHERE merchants.id = $1`,
    values: [id, moving, until, position],
  });
  for (const table of ['stores', 'api_keys', 'webhooks'])
    await tx.query({
      name: `move-${table}`,
      text: `UPDATE ${table} SET moving = $2 WHERE ${table}.merchant_id = $1`,
      values: [id, moving],
    });
  if (moving !== null) return closeStores(tx, storeKeys);
  await tx.query({
    name: 'move-open',
    text: 'UPDATE event_counters SET is_closed = false WHERE event_counters.store_key = ANY ($1::integer[])',
    values: [storeKeys],
  });
}

/** Keeps a merchant that has been copied to this installation from being used yet. */
export function hold(
  tx: Queryable,
  { position, ...merchant }: MovedMerchant & { readonly position: string },
): Promise<void> {
  return setMove(tx, merchant, { moving: ARRIVING, until: null, position });
}

/** Merchants whose writes were to be refused no longer than this, and have not left. */
export async function findOverdueRefusals(db: Queryable): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'moves-overdue',
    text: `SELECT m.id FROM merchants m WHERE m.moving = '${REFUSING}' AND m.moving_until <= clock_timestamp()`,
  });
  return rows.map(({ id }) => id);
}

/**
 * The number of a new transaction: every snapshot that is taken later has seen the present state. On Citus one of each node: a
 * transaction has a number only where it writes.
 */
export function drawTransactions(db: SharedDatabase): Promise<string[]> {
  return askEachNode(db, 'move-transaction', 'SELECT pg_current_xact_id()');
}

/** Whether every transaction before these has ended. */
export async function haveEnded(db: SharedDatabase, drawn: readonly string[]): Promise<boolean> {
  const oldest = await askEachNode(db, 'move-ended', 'SELECT pg_snapshot_xmin(pg_current_snapshot())');
  return oldest.every((xid, node) => BigInt(xid) > BigInt(drawn[node] ?? 0));
}
