import type { Page } from '../../support/shape/common-shapes.js';
import type { StoreScope } from '../../access/principal.js';
import { audit } from '../../audit/audit.sql.js';
import type { Queryable, Transaction } from '../../postgres/database.js';
import { withoutNulls } from '../../postgres/without-nulls.js';
import { lockMerchant } from '../../tenants/merchants.sql.js';
import type { KeptField } from './keep.js';
import type { MenuPublication, PublicationStatus, PublicationStore } from './shapes.js';

/** What is expected of a store, and what came of it. */
export type PublicationEntry = PublicationStore & {
  readonly expect?: number | undefined;
  /** The currency of the menu, where it is known. */
  readonly currency?: string | undefined;
  /** How amounts become those of a store with another currency. */
  readonly rate?: string | undefined;
  /** The store that the menu comes from, whose photos come with it. */
  readonly from?: string | undefined;
};

/** What it takes to run a publication. */
export interface PublicationRow {
  readonly id: string;
  readonly merchantId: string;
  readonly keyId: string;
  readonly keep: readonly KeptField[];
  readonly entries: readonly PublicationEntry[];
  readonly content: Buffer;
}

export interface PlannedPublication extends PublicationRow {
  readonly at: Date | undefined;
  readonly label: string | undefined;
}

/** A process that dies leaves its publication to the others after this long. */
const LEASE = `interval '10 seconds'`;

/** Counts what is scheduled, when it is the caller's turn. */
export async function countScheduled(tx: Queryable, merchantId: string): Promise<number> {
  await lockMerchant(tx, merchantId);
  const [row] = await tx.query<{ count: number }>({
    name: 'publications_count',
    text: `SELECT count(*) FROM menu_publications p WHERE p.merchant_id = $1 AND p.status = 'scheduled'`,
    values: [merchantId],
  });
  return row?.count ?? 0;
}

/** With a time it waits for that; without one the caller runs it. */
export async function insertPublication(tx: Queryable, row: PlannedPublication): Promise<void> {
  await tx.query({
    name: 'publications_insert',
    text: `INSERT INTO menu_publications (id, merchant_id, key_id, created_at, status, at, label, keep, store_ids, stores,
        content, lease_until)
      VALUES ($1, $2, $3, clock_timestamp(), CASE WHEN $4::timestamptz IS NULL THEN 'running' ELSE 'scheduled' END, $4, $5,
        $6, $7, $8, $9, CASE WHEN $4::timestamptz IS NULL THEN clock_timestamp() + ${LEASE} END)`,
    values: [
      row.id,
      row.merchantId,
      row.keyId,
      row.at,
      row.label,
      row.keep,
      row.entries.map(({ store_id }) => store_id),
      JSON.stringify(row.entries),
      row.content,
    ],
  });
}

/** One for each merchant that has any: the others of a merchant follow when that is done. */
export async function findDuePublications(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.read<{ id: string }>({
    name: 'publications_due',
    text: `SELECT DISTINCT ON (p.merchant_id) p.id FROM menu_publications p
      WHERE (p.status = 'scheduled' AND p.at <= clock_timestamp()
          OR p.status = 'running' AND p.lease_until < clock_timestamp())
        AND NOT EXISTS (SELECT FROM menu_publications o WHERE o.merchant_id = p.merchant_id AND o.status = 'running'
          AND o.at IS NOT NULL AND o.lease_until >= clock_timestamp())
        AND p.merchant_id NOT IN (SELECT m.id FROM merchants m WHERE m.moving IS NOT NULL)
      ORDER BY p.merchant_id, p.at, p.id LIMIT $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Takes the lease of one that is due; undefined where another process has. Past `punctual` seconds it is late. */
export async function claimPublication(
  db: Queryable,
  id: string,
  punctual: number,
): Promise<PublicationRow | undefined> {
  const [claimed] = await db.query<PublicationRow>({
    name: 'publications_claim',
    text: `UPDATE menu_publications SET status = 'running', lease_until = clock_timestamp() + ${LEASE},
        late_by_seconds = CASE WHEN status = 'scheduled' AND clock_timestamp() > at + make_interval(secs => $2)
          THEN floor(extract(epoch FROM clock_timestamp() - at))::integer ELSE late_by_seconds END
      WHERE id = $1 AND (status = 'scheduled' AND at <= clock_timestamp()
        OR status = 'running' AND lease_until < clock_timestamp())
      RETURNING id, merchant_id AS "merchantId", key_id AS "keyId", keep, stores AS entries, coalesce(content, '') AS content`,
    values: [id, punctual],
  });
  return claimed;
}

/** Puts off the end of the lease; `now` ends it. */
export async function setLease(db: Queryable, id: string, until: 'later' | 'now'): Promise<void> {
  await db.query({
    name: 'publications_lease',
    text: `UPDATE menu_publications SET lease_until = clock_timestamp() + CASE WHEN $2 THEN ${LEASE} ELSE interval '0' END
      WHERE id = $1 AND status = 'running'`,
    values: [id, until === 'later'],
    repeatable: true,
  });
}

/** What came of a store, if it has had its turn; its row is held until the transaction ends. */
export async function lockEntry(
  tx: Queryable,
  id: string,
  position: number,
): Promise<PublicationEntry | undefined> {
  const [row] = await tx.query<{ entry: PublicationEntry | null }>({
    name: 'publications_lock_entry',
    text: `SELECT p.stores -> $2::integer AS entry FROM menu_publications p WHERE p.id = $1 FOR NO KEY UPDATE`,
    values: [id, position],
  });
  return row?.entry ?? undefined;
}

export async function setEntry(
  tx: Queryable,
  id: string,
  position: number,
  entry: PublicationEntry,
): Promise<void> {
  await tx.query({
    name: 'publications_set_entry',
    text: `UPDATE menu_publications SET stores = jsonb_set(stores, ARRAY[$2::text], $3::jsonb) WHERE id = $1`,
    values: [id, String(position), JSON.stringify(entry)],
  });
}

/** The menu is of no more use then. */
export async function endPublication(
  db: Queryable,
  id: string,
  status: Extract<PublicationStatus, 'done' | 'cancelled'>,
): Promise<string | undefined> {
  const [ended] = await db.query<{ merchant_id: string }>({
    name: 'publications_end',
    text: `UPDATE menu_publications SET status = $2, content = NULL, lease_until = NULL
      WHERE id = $1 AND status = CASE WHEN $2 = 'done' THEN 'running' ELSE 'scheduled' END RETURNING merchant_id`,
    values: [id, status],
  });
  return ended?.merchant_id;
}

export async function countScheduledOfKeys(db: Queryable, keyIds: readonly string[]): Promise<number> {
  const [row] = await db.read<{ count: number }>({
    name: 'publications_of_keys_count',
    text: `SELECT count(*) FROM menu_publications p WHERE p.key_id = ANY ($1::text[]) AND p.status = 'scheduled'`,
    values: [keyIds],
  });
  return row?.count ?? 0;
}

export async function cancelScheduledOfKeys(tx: Transaction, keyIds: readonly string[]): Promise<void> {
  const cancelled = await tx.query<Pick<ShownRow, 'id' | 'label' | 'at'> & { merchant_id: string }>({
    name: 'publications_of_keys_cancel',
    text: `UPDATE menu_publications SET status = 'cancelled', content = NULL
      WHERE key_id = ANY ($1::text[]) AND status = 'scheduled' RETURNING id, label, at, merchant_id`,
    values: [keyIds],
  });
  for (const { id, label, at, merchant_id: merchantId } of cancelled)
    await audit(tx, 'publication.cancelled', { merchantId, subject: id, before: { label, at } });
}

interface ShownRow {
  readonly id: string;
  readonly at: Date | null;
  readonly label: string | null;
  readonly status: PublicationStatus;
  readonly late_by_seconds: number | null;
  readonly keep: KeptField[];
  readonly created_at: Date;
  readonly key_id: string;
  readonly stores: readonly PublicationEntry[];
}

const SHOWN = `SELECT p.id, p.status, p.at, p.late_by_seconds, p.label, p.keep, p.created_at, p.key_id, p.stores
  FROM menu_publications p
  WHERE ($1::uuid IS NULL OR p.merchant_id = $1) AND ($2::uuid[] IS NULL OR p.store_ids <@ $2)`;

export async function findPublication(
  db: Queryable,
  id: string,
  { merchantId, storeIds }: StoreScope,
): Promise<MenuPublication | undefined> {
  const [row] = await db.read<ShownRow>({
    name: 'publications_one',
    text: `${SHOWN} AND p.id = $3`,
    values: [merchantId, storeIds, id],
  });
  return row && show(row);
}

/** The newest first. */
export async function listPublications(
  db: Queryable,
  { merchantId, storeIds }: StoreScope,
  { status, skip, limit }: Page & { readonly status?: PublicationStatus },
): Promise<MenuPublication[]> {
  const rows = await db.read<ShownRow>({
    name: 'publications_list',
    text: `${SHOWN} AND ($3::text IS NULL OR p.status = $3) ORDER BY p.created_at DESC, p.id DESC OFFSET $4 LIMIT $5`,
    values: [merchantId, storeIds, status, skip, limit],
  });
  return rows.map(show);
}

/** Removes some that ended long ago; false when there are no more. */
export async function purgeOldPublications(db: Queryable): Promise<boolean> {
  const removed = await db.query({
    name: 'publications_purge',
    text: `DELETE FROM menu_publications WHERE id = ANY (ARRAY (
        SELECT p.id FROM menu_publications p WHERE p.status IN ('done', 'cancelled')
          AND p.created_at < clock_timestamp() - interval '366 days' AND coalesce(p.at, p.created_at) < clock_timestamp() - interval '90 days'
        ORDER BY p.created_at LIMIT 100))
      RETURNING 1`,
    repeatable: true,
  });
  return removed.length === 100;
}

function show({ at, keep, created_at, stores, ...row }: ShownRow): MenuPublication {
  return {
    ...withoutNulls(row),
    ...(at && { at: at.toISOString() }),
    ...(keep.length > 0 && { keep }),
    created_at: created_at.toISOString(),
    stores: stores.map(({ expect: _1, currency: _2, rate: _3, from: _4, ...shown }) => shown),
  };
}
