import { refuseMoving, REFUSING } from '../access/moving.js';
import { readMoving } from '../access/moving.sql.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import type { Actor } from '../support/actor.js';
import { composeUuidV7, newUuidV7, uuidTime } from '../support/uuid.js';
import { changesBetween } from './changes-between.js';

/** What changed, and where: a store by its id or number, or a merchant; neither for the installation itself. */
export interface Change {
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly storeKey?: number;
  /** What was changed: an id, or a name that is unique in its store. */
  readonly subject: string;
  /** As it was and as it is. Only what differs is kept, so neither may hold secrets or anything about guests. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Who acts where no request does. */
  readonly keyId?: string | null;
  /** Also while the merchant moves, when nothing of it may change. */
  readonly isOfMove?: boolean;
  /** Who acts where several requests share a transaction. Default: the request of the transaction. */
  readonly by?: Actor | undefined;
}

/** Writes a change to the audit log, in the transaction of the change; what changed nothing is not written. */
export function audit(tx: Transaction, type: string, change: Change): Promise<void> {
  return writeEntry(tx, type, { by: tx.by, ...change });
}

/** The same for what changes nothing in the database, such as an export. */
export async function writeEntry(db: Queryable, type: string, change: Change): Promise<void> {
  const { by, subject, merchantId, storeId, storeKey } = change;
  const differing = changesBetween(change.before, change.after);
  if (differing === undefined) return;
  const written = await db.query({
    name: 'audit-append',
    text: `
      INSERT INTO audit_entries (id, at, key_id, label, via, type, merchant_id, store_id, subject, before, after, request_id)
      SELECT $1, $2, $3, $4, $5, $6, coalesce($7::uuid, s.merchant_id), coalesce($8::uuid, s.id), $10, $11, $12, $13
      FROM (SELECT 1) AS one LEFT JOIN stores s ON s.store_key = $9 OR s.id = $8
      WHERE $14 OR coalesce(s.moving, (SELECT m.moving FROM merchants m WHERE m.id = $7)) IS NULL
      RETURNING 1`,
    values: [
      newUuidV7(),
      new Date(),
      by?.keyId ?? change.keyId ?? null,
      by?.label ?? null,
      by?.via ?? 'clock',
      type,
      merchantId ?? null,
      storeId ?? null,
      storeKey ?? null,
      subject,
      differing.before ?? null,
      differing.after ?? null,
      by?.requestId ?? null,
      change.isOfMove ?? false,
    ],
  });
  // A request that began before its merchant left must not change what has been copied.
  if (written.length === 0) refuseMoving((await readMoving(db, change)) ?? REFUSING, true);
}

export interface AuditFilter {
  readonly merchantId?: string | undefined;
  /** Only these stores. */
  readonly storeIds?: readonly string[] | undefined;
  readonly keyId?: string | undefined;
  readonly type?: string | undefined;
  /** The last entry that the reader has. */
  readonly after?: string | undefined;
}

/** The newest entries first, as the response shows them but for what is null. */
export function listEntries(
  db: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<{ readonly id: string }[]> {
  // A condition for each filter that is given: one statement for all of them would use the index of none.
  const conditions = [
    ['merchant_id = ', filter.merchantId],
    ['store_id = ANY ', filter.storeIds],
    ['key_id = ', filter.keyId],
    ['type = ', filter.type],
    ['id < ', filter.after],
  ].flatMap(([condition, value], i) => (value === undefined ? [] : [{ condition, value, i }]));
  const where = conditions.map(({ condition }, i) => `e.${String(condition)}($${i + 2})`);
  return db.read({
    name: `audit-list-${conditions.map(({ i }) => i).join('')}`,
    text: `SELECT * FROM audit_entries e ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
           ORDER BY e.id DESC LIMIT $1`,
    values: [limit, ...conditions.map(({ value }) => value)],
  });
}

const PRUNED_AT_ONCE = 1_000;

/** Removes some entries from before the given time; true when there may be more. */
export async function pruneEntries(db: Queryable, before: Date): Promise<boolean> {
  const removed = await db.query({
    name: 'audit-prune',
    text: `DELETE FROM audit_entries WHERE audit_entries.id = ANY (ARRAY (
             SELECT e.id FROM audit_entries e WHERE e.id < $1 ORDER BY e.id LIMIT ${PRUNED_AT_ONCE}))
           RETURNING 1`,
    values: [composeUuidV7(uuidTime(before.getTime()), 0, 0, 0)],
    repeatable: true,
  });
  return removed.length === PRUNED_AT_ONCE;
}
