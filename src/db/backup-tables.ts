import { FIRST_GIVEN_STORE_KEY } from '../domain/example-ids.js';

/** One table of the archive: which of its rows go in, and the key they are sorted by, the same on every installation. */
export interface BackupTable {
  readonly name: string;
  readonly sortedBy: string;
  readonly only?: string;
}

/**
 * Every table that a backup holds, in an order in which each refers only to those before it. Texts sort by their bytes:
 * the collation of a database is its own affair.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: 'merchants', sortedBy: 'id' },
  { name: 'stores', sortedBy: 'id' },
  // Operator keys open an installation, not its data: each keeps its own.
  { name: 'api_keys', sortedBy: 'id', only: 'merchant_id IS NOT NULL' },
  ...ofStores([
    { name: 'menu_entities', sortedBy: 'store_key, kind COLLATE "C", external_id COLLATE "C"' },
    { name: 'menu_states', sortedBy: 'store_key' },
    { name: 'menu_versions', sortedBy: 'store_key, version' },
    { name: 'menu_marks', sortedBy: 'store_key, entity_id' },
    { name: 'orders', sortedBy: 'store_key, id' },
    { name: 'order_history', sortedBy: 'store_key, order_id, revision, field COLLATE "C"' },
    { name: 'order_intake_keys', sortedBy: 'store_key, client_key COLLATE "C"' },
    { name: 'events', sortedBy: 'store_key, sequence' },
  ]),
  // Those of deleted stores are closed for ever.
  { name: 'event_counters', sortedBy: 'store_key', only: 'NOT is_closed' },
  // Secrets stay sealed: they are of use only where the key is that they were sealed with.
  { name: 'webhooks', sortedBy: 'id', only: `status <> 'removed'` },
  // Places are numbers of events, which an installation keeps through a restore: nothing is skipped, and what is sent
  // again is at most what was taken after the backup was made.
  { name: 'webhook_cursors', sortedBy: 'webhook_id, store_key' },
  { name: 'webhook_parked', sortedBy: 'webhook_id, store_key, sequence' },
];

/** What is left of a deleted store is not handed on. */
function ofStores(tables: readonly BackupTable[]): BackupTable[] {
  return tables.map((table) => ({
    ...table,
    only: 'store_key NOT IN (SELECT d.store_key FROM deleted_stores d WHERE d.emptied_at IS NULL)',
  }));
}

/** Tables that stay out of a backup, and why. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  schema_migrations:
    'an installation migrates itself; the archive only tells the number of the newest migration',
  idempotent_answers: 'kept for a day, and nearly all belong to operator keys, which are not in the archive',
  webhook_deliveries: 'a record of what one installation has sent, kept for 30 days',
  order_counts: 'counted anew from the orders',
  order_search: 'made anew from the orders',
  console_sessions: 'each browser signs in again',
  console_codes: 'good for ten minutes',
  deleted_stores: 'what one installation has deleted, another has never had',
  deleted_merchants: 'the same',
  event_epoch: 'each installation has its own, so that no cursor of one is taken for a place in another',
};

export interface BackupSequence {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Numbers from here on are not drawn from the sequence: they are of stores known beforehand, such as the demo's. */
  readonly below?: number;
}

/** What numbers are drawn from, and the column that holds them: a restore sets each past the highest number in use. */
export const BACKUP_SEQUENCES: readonly BackupSequence[] = [
  { name: 'store_numbers', table: 'stores', column: 'store_key', below: FIRST_GIVEN_STORE_KEY },
  { name: 'menu_entity_ids', table: 'menu_entities', column: 'id' },
];
