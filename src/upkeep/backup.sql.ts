import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { FIRST_GIVEN_STORE_KEY } from '../support/example-ids.js';
import type { Database } from '../postgres/database.js';
import { requireKnownSchema } from '../postgres/schema-migrations.js';

/** One table of the archive: which of its rows go in, and the key they are sorted by, the same on every installation. */
export interface BackupTable {
  readonly name: string;
  readonly sortedBy: string;
  readonly only?: string;
  /** The column that says whose a row is. Default: `store_key`. */
  readonly belongsBy?: 'id' | 'merchant_id' | 'webhook_id' | 'order_id';
  /** An installation may have some of its rows already when it is filled, and keeps them. */
  readonly isMerged?: boolean;
  /** May have very many rows, most of which never change: of a merchant that moves, only those that did are sent again. */
  readonly isLarge?: boolean;
}

const OF_LIVE_STORES =
  'store_key NOT IN (SELECT d.store_key FROM deleted_stores d WHERE d.emptied_at IS NULL)';

/**
 * Every table that a backup holds, in an order in which each refers only to those before it. Texts sort by their bytes:
 * the collation of a database is its own affair.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: 'merchants', sortedBy: 'id', belongsBy: 'id' },
  { name: 'stores', sortedBy: 'id', belongsBy: 'merchant_id' },
  // Operator keys open an installation, not its data: each keeps its own.
  { name: 'api_keys', sortedBy: 'id', only: 'merchant_id IS NOT NULL', belongsBy: 'merchant_id' },
  ...ofStores([
    {
      name: 'menu_entities',
      sortedBy: 'store_key, kind COLLATE "C", external_id COLLATE "C"',
      isLarge: true,
    },
    { name: 'menu_states', sortedBy: 'store_key' },
    { name: 'menu_versions', sortedBy: 'store_key, version', isLarge: true },
    { name: 'menu_marks', sortedBy: 'store_key, entity_id' },
    { name: 'places', sortedBy: 'store_key, id' },
    { name: 'menu_photos', sortedBy: 'store_key, entity_id' },
    // Like webhook_cursors: at most what was printed after the backup is printed again.
    { name: 'printers', sortedBy: 'store_key, id' },
    { name: 'printer_tickets', sortedBy: 'store_key, order_id, printer_id', isLarge: true },
    { name: 'orders', sortedBy: 'store_key, id', isLarge: true },
    { name: 'order_history', sortedBy: 'store_key, order_id, revision, field COLLATE "C"', isLarge: true },
    { name: 'order_intake_keys', sortedBy: 'store_key, client_key COLLATE "C"', isLarge: true },
    { name: 'order_numbers', sortedBy: 'store_key, day' },
    { name: 'order_sales', sortedBy: 'store_key, level, bucket, status, slot' },
    {
      name: 'item_sales',
      sortedBy: 'store_key, level, bucket, external_id COLLATE "C", outcome COLLATE "C", slot',
    },
    { name: 'sales_progress', sortedBy: 'store_key' },
    { name: 'events', sortedBy: 'store_key, sequence', isLarge: true },
  ]),
  // A deleted store leaves its counter behind, closed; it is not part of a backup.
  {
    name: 'event_counters',
    sortedBy: 'store_key',
    only: '(NOT is_closed OR store_key IN (SELECT s.store_key FROM stores s))',
  },
  // Those of a deleted merchant are about to go.
  {
    name: 'photos',
    sortedBy: 'id COLLATE "C"',
    only: 'merchant_id IN (SELECT m.id FROM merchants m)',
    belongsBy: 'merchant_id',
    isLarge: true,
  },
  // What concerns the installation itself is the affair of each.
  {
    name: 'audit_entries',
    sortedBy: 'id',
    only: 'merchant_id IS NOT NULL',
    belongsBy: 'merchant_id',
    isMerged: true,
    isLarge: true,
  },
  // A publication that was running resumes where the backup found it.
  { name: 'menu_publications', sortedBy: 'id', belongsBy: 'merchant_id' },
  // Secrets stay sealed: they are of use only where the key is that they were sealed with.
  { name: 'webhooks', sortedBy: 'id', only: `status <> 'removed'`, belongsBy: 'merchant_id' },
  // Places are numbers of events, which an installation keeps through a restore: nothing is skipped, and what is sent
  // again is at most what was taken after the backup was made.
  { name: 'webhook_cursors', sortedBy: 'webhook_id, store_key', belongsBy: 'webhook_id' },
  { name: 'webhook_parked', sortedBy: 'webhook_id, store_key, sequence', belongsBy: 'webhook_id' },
  // The customers of these orders are erased again wherever an older archive brings them back.
  { name: 'erased_orders', sortedBy: 'order_id', belongsBy: 'order_id', isMerged: true },
];

/** Nothing of a table that no backup holds, such as one that follows from others. */
export function tableNamed(name: string): Partial<BackupTable> {
  return BACKUP_TABLES.find((table) => table.name === name) ?? {};
}

/** The rows of one merchant in every table; `merchantId` is a UUID. */
export function tablesOf(merchantId: string, storeKeys: readonly number[]): BackupTable[] {
  const merchant = `'${merchantId}'`;
  const stores = `store_key IN (${['NULL', ...storeKeys].join(', ')})`;
  const conditions = {
    id: `id = ${merchant}`,
    merchant_id: `merchant_id = ${merchant}`,
    store_key: stores,
    webhook_id: `webhook_id IN (SELECT w.id FROM webhooks w WHERE w.merchant_id = ${merchant} AND w.status <> 'removed')`,
    order_id: `order_id IN (SELECT o.id FROM orders o WHERE o.${stores} AND o.is_erased)`,
  };
  return BACKUP_TABLES.map((table) => ({
    ...table,
    only: [
      conditions[table.belongsBy ?? 'store_key'],
      ...(table.only === undefined || table.only === OF_LIVE_STORES ? [] : [table.only]),
    ].join(' AND '),
  }));
}

/** Leaves out the remains of deleted stores. */
function ofStores(tables: readonly BackupTable[]): BackupTable[] {
  return tables.map((table) => ({ ...table, only: OF_LIVE_STORES }));
}

export interface BackupSequence {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Numbers from here on are not drawn from the sequence: they are of stores known beforehand, such as the demo's. */
  readonly below?: number;
}

/** Sequences and the columns that they fill. A restore sets each past the highest number in use. */
export const BACKUP_SEQUENCES: readonly BackupSequence[] = [
  { name: 'store_numbers', table: 'stores', column: 'store_key', below: FIRST_GIVEN_STORE_KEY },
  { name: 'menu_entity_ids', table: 'menu_entities', column: 'id' },
];

export interface Column {
  readonly name: string;
  /** A row need not state it. */
  readonly isOptional: boolean;
}

export async function readColumns(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>({
    name: 'table_columns',
    text: `SELECT a.attname AS name, NOT a.attnotnull OR a.atthasdef AS "isOptional"
           FROM pg_attribute a
           WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
           ORDER BY a.attnum`,
    values: [table],
  });
  return rows;
}

/** What a merchant's own archive says of where it is: it is the same in every place. */
const SAME_EVERYWHERE: Readonly<Record<string, string>> = {
  moving: 'NULL',
  moving_until: 'NULL',
  moving_position: 'NULL',
  is_closed: 'false',
};

function selectFrom({ name, only }: BackupTable, columns: readonly string[], isOfMerchant: boolean): string {
  const list = columns.map((column) => {
    const value = isOfMerchant ? SAME_EVERYWHERE[column] : undefined;
    return value === undefined ? `"${column}"` : `${value} AS "${column}"`;
  });
  return `SELECT ${list.join(', ')} FROM ${name} ${only === undefined ? '' : `WHERE ${only}`}`;
}

/** Number of rows and a sum of their hashes: the same wherever a merchant has the same rows. */
export async function readDigest(
  client: pg.ClientBase,
  table: BackupTable,
  columns: readonly string[],
): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT count(*) || ':' || coalesce(sum(('x' || substr(md5(${WITHOUT_LINE_ENDS('r::text')}), 1, 15))::bit(60)::bigint), 0) AS digest
     FROM (${selectFrom(table, columns, true)}) r`,
  );
  return rows[0]?.digest ?? '';
}

/** Reads the position of the present moment: what is committed later is changed after it. */
export async function readPosition(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ position: string }>(
    `SELECT pg_snapshot_xmin(s) || ':' || pg_snapshot_xmax(s) AS position FROM pg_current_snapshot() AS s`,
  );
  return rows[0]?.position ?? '';
}

export type Snapshot = Awaited<ReturnType<typeof readSnapshot>>;

/** The whole installation or one merchant as it was at one moment, however long the reading takes. */
async function readSnapshot(client: pg.Client, knownSchema: number, merchantId: string | undefined) {
  return {
    schema: await requireKnownSchema(client, knownSchema),
    /** In the order of the archive, with the rows that go into it. */
    tables: merchantId === undefined ? BACKUP_TABLES : await readTablesOf(client, merchantId),
    /** `xmin:xmax`: which transactions it has seen. */
    position: await readPosition(client),
    columns: async (table: BackupTable) => (await readColumns(client, table.name)).map(({ name }) => name),
    /** The rows as lines of JSON, in the order of their key, no faster than they are read; with `since`, those changed after that position. */
    rows: (table: BackupTable, columns: readonly string[], since?: string) => {
      const select = selectFrom(table, columns, merchantId !== undefined);
      // A row's xmin is the transaction that wrote it; none before the position's can have been missed.
      const changed = since === undefined ? '' : ` AND age(xmin) <= age('${xidOf(since)}'::xid)`;
      return readRows(client, `${select}${changed}`, table.sortedBy);
    },
    digest: (table: BackupTable, columns: readonly string[]) => readDigest(client, table, columns),
  };
}

export function withSnapshot<T>(
  db: Database,
  knownSchema: number,
  merchantId: string | undefined,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db.withClient(async (client) => {
    await client.query(BEGIN);
    try {
      const result = await work(await readSnapshot(client, knownSchema, merchantId));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // An unread COPY would block the next statement, so the connection is closed.
      await client.end();
      throw error;
    }
  });
}

async function readTablesOf(client: pg.Client, merchantId: string): Promise<BackupTable[]> {
  const text = 'SELECT stores.store_key FROM stores WHERE stores.merchant_id = $1 ORDER BY 1';
  const { rows } = await client.query<{ store_key: number }>(text, [merchantId]);
  return tablesOf(
    merchantId,
    rows.map(({ store_key: storeKey }) => storeKey),
  );
}

/** Timestamps and bytes are written alike, and have the same digests, whatever the server's settings are. */
export const SAME_TEXTS = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'`;

// Without sorts the rows come from the
// index at once, and a large table needs no room on the disk.
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  ${SAME_TEXTS};
  SET LOCAL enable_sort = off`;

/** Transactions are compared by the lower half of their numbers. */
function xidOf(position: string): bigint {
  return BigInt(position.split(':')[0] ?? '') & 0xffff_ffffn;
}

function readRows(client: pg.Client, select: string, sortedBy: string): Readable {
  // Sorted inside for the index, and so that the columns keep their names; outside for Citus, where each shard sorts its own.
  const rows = `SELECT ${WITHOUT_LINE_ENDS('row_to_json(r)::text')} FROM (${select} ORDER BY ${sortedBy}) r ORDER BY ${sortedBy}`;
  const stream = client.query(copyTo(`COPY (${rows}) TO STDOUT ${VERBATIM}`));
  // An abandoned stream gets an error when its connection ends. Without a listener, that would crash the process.
  return stream.on('error', () => undefined);
}

/** Columns of JSON keep line ends between their tokens. */
const WITHOUT_LINE_ENDS = (text: string) => `replace(replace(${text}, E'\\n', ' '), E'\\r', ' ')`;

// JSON text holds neither these characters nor, once line ends between its tokens are blanks, anything else that would
// be quoted: every row comes out as it is.
const VERBATIM = `WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')`;
