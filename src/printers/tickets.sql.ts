import type { Queryable } from '../postgres/database.js';
import type { OpenJob } from './printers.sql.js';

/** What a printer has printed of an order. */
export interface PrintedTicket {
  readonly revision: number;
  readonly cancelled: boolean;
}

export async function readPrinted(
  db: Queryable,
  storeKey: number,
  printerId: string,
  orderIds: readonly string[],
): Promise<Map<string, PrintedTicket>> {
  const rows = await db.read<PrintedTicket & { id: string }>({
    name: 'printer-tickets',
    text: `SELECT t.order_id AS id, t.revision, t.is_cancelled AS cancelled FROM printer_tickets t
           WHERE t.store_key = $1 AND t.order_id = ANY ($3::uuid[]) AND t.printer_id = $2`,
    values: [storeKey, printerId, orderIds],
  });
  return new Map(rows.map(({ id, ...printed }) => [id, printed]));
}

export async function insertPrinted(
  tx: Queryable,
  storeKey: number,
  printerId: string,
  orders: OpenJob['orders'],
): Promise<void> {
  await tx.query({
    name: 'printer-tickets-insert',
    text: `INSERT INTO printer_tickets AS t (store_key, order_id, printer_id, revision, is_cancelled, printed_at)
           SELECT $1, o.id, $2, o.revision, o.cancelled, $4
           FROM json_to_recordset($3::json) AS o (id uuid, revision integer, cancelled boolean)
           ON CONFLICT (store_key, order_id, printer_id) DO UPDATE
             SET revision = greatest(t.revision, excluded.revision), is_cancelled = t.is_cancelled OR excluded.is_cancelled`,
    values: [storeKey, printerId, JSON.stringify(orders), new Date()],
  });
}

/** An order may be wanted a year ahead, and change until then. */
const KEPT_DAYS = 400;
const PURGED_AT_ONCE = 1_000;

/** Removes some of what was printed long ago; true when there may be more. */
export async function purgeOldTickets(db: Queryable): Promise<boolean> {
  const removed = await db.query({
    name: 'printer-tickets-purge',
    text: `DELETE FROM printer_tickets t WHERE (t.store_key, t.order_id, t.printer_id) IN (
             SELECT o.store_key, o.order_id, o.printer_id FROM printer_tickets o WHERE o.printed_at < $1
             LIMIT ${PURGED_AT_ONCE}) RETURNING 1`,
    values: [new Date(Date.now() - KEPT_DAYS * 86_400_000)],
    repeatable: true,
  });
  return removed.length === PURGED_AT_ONCE;
}

/** What the fields of an order were before they changed after a revision, but for lines that are erased. */
export async function readFormer(
  db: Queryable,
  storeKey: number,
  { orderId, revision, fields }: { orderId: string; revision: number; fields: readonly string[] },
): Promise<Map<string, unknown>> {
  const rows = await db.read<{ field: string; old_value: unknown }>({
    name: 'printer-former',
    text: `SELECT DISTINCT ON (h.field) h.field, h.old_value FROM order_history h
           WHERE h.store_key = $1 AND h.order_id = $2 AND h.revision > $3 AND h.field = ANY ($4::text[])
             AND (h.field <> 'items' OR h.old_value IS NOT NULL)
           ORDER BY h.field, h.revision`,
    values: [storeKey, orderId, revision, fields],
  });
  return new Map(rows.map(({ field, old_value: value }) => [field, value ?? undefined]));
}

/** Whether a change was one of the lines, and what they were before it is erased. */
export async function areFormerLinesErased(
  db: Queryable,
  storeKey: number,
  { orderId, revision }: { orderId: string; revision: number },
): Promise<boolean> {
  const rows = await db.read({
    name: 'printer-former-erased',
    text: `SELECT 1 FROM order_history h
           WHERE h.store_key = $1 AND h.order_id = $2 AND h.revision = $3 AND h.field = 'items' AND h.old_value IS NULL`,
    values: [storeKey, orderId, revision],
  });
  return rows.length > 0;
}

/** The events that may put something on paper. */
export const PRINTED_EVENTS = ['order.created', 'order.status_changed', 'order.updated'] as const;
