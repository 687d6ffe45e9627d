import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { writeEntry } from '../audit/audit.sql.js';
import type { Actor } from '../support/actor.js';
import { Conflict, errorCode } from '../support/errors.js';
import type { ArchiveEnd, ArchiveSection } from './archive.js';
import { hold } from './moves.sql.js';
import { hourOf, insertCountsFrom } from '../orders/list/counts.sql.js';
import { eraseListed } from '../customers/erase.js';
import { storeKeyOfOrder } from '../orders/id.js';
import { tryLockFor } from '../postgres/advisory-locks.js';
import { OVER_ONE_CONNECTION } from '../postgres/citus-tables.js';
import {
  BACKUP_SEQUENCES,
  BACKUP_TABLES,
  readColumns,
  SAME_TEXTS,
  tableNamed,
  type BackupSequence,
  type Column,
} from './backup.sql.js';
import type { Database, Queryable, Statement } from '../postgres/database.js';
import { findOtherCell, readCell } from '../postgres/cell-numbers.js';
import { requireKnownSchema } from '../postgres/schema-migrations.js';

/** An installation that is being filled: everything or nothing, in one transaction. */
export interface FilledInstallation<Finished> {
  readonly schema: number;
  columns(table: string): Promise<Column[]>;
  /** Before the first row of a table. */
  open?(section: ArchiveSection): Promise<void>;
  /** `rows` is JSON: a list of objects whose members are columns. Table and columns must be known to exist. */
  insert(section: ArchiveSection, rows: string | Uint8Array, count: number): Promise<void>;
  /** Makes what is derived from the rows: counts and the next free numbers. */
  finish(end: ArchiveEnd): Promise<Finished>;
}

interface Filling {
  readonly kind: 'installation' | 'merchant';
  readonly by: Actor;
  /** The merchant is arriving from another installation, and was copied at this position. */
  readonly position: string | undefined;
}

/** Opens what an archive goes into, within the transaction that takes it in. */
export type Open<Finished> = (client: pg.Client, tx: Queryable) => Promise<FilledInstallation<Finished>>;

export function fillInstallation(knownSchema: number, { kind, by, position }: Filling): Open<object> {
  return async (client, tx) => {
    if (!(await tryLockFor(client, 'restore')))
      throw new Conflict(
        'Another move or restore into this installation is under way, perhaps of the same merchant. Wait until it has ended, then try again.',
      );
    const isWhole = kind === 'installation';
    if (isWhole) await refuseUnlessEmpty(client);
    if (isWhole) await forgetDeletions(client);
    const restored = createRestored();
    return {
      schema: await requireKnownSchema(client, knownSchema),
      columns: (table) => readColumns(client, table),
      insert: async (section, rows, count) => {
        if (isWhole) await insertRows(client, section, rows);
        else await insertRowsOf(client, restored, section, rows, count);
      },
      finish: async () => {
        if (isWhole) await refuseOtherCell(tx);
        else await refuseSharedIds(client, restored);
        await refuseUncounted(client);
        const storeKeys = isWhole ? undefined : restored.storeKeys();
        await recountOrders(tx, storeKeys);
        await eraseListed(tx, storeKeys);
        for (const sequence of BACKUP_SEQUENCES) await client.query(setPast(sequence));
        if (isWhole) await beginEpoch(client);
        // Of no merchant: the archive of one that came here is the same as before it came.
        const type = isWhole ? 'backup.restored' : 'merchant.restored';
        const id = restored.merchantId();
        await writeEntry(tx, type, { by, subject: id ?? 'installation' });
        if (id !== undefined && position !== undefined)
          await hold(tx, { id, storeKeys: restored.storeKeys(), position });
        return {};
      },
    };
  };
}

/** Without limits of time; all or nothing. */
export function fillInTransaction<T>(
  db: Database,
  work: (client: pg.Client, tx: Queryable) => Promise<T>,
): Promise<T> {
  return db.withClient(async (client) => {
    await client.query(BEGIN);
    const result = await work(client, asQueryable(client));
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
    return result;
  });
}

const BEGIN = `
  BEGIN;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  ${SAME_TEXTS};
  ${OVER_ONE_CONNECTION}`;

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  await client.query('LOCK TABLE merchants IN SHARE ROW EXCLUSIVE MODE');
  const { rowCount } = await client.query('SELECT FROM merchants LIMIT 1');
  if (rowCount !== 0)
    throw new Conflict(
      'This installation already has merchants. Restore into a new one, started with COMANDA_DEMO=off.',
    );
}

/** Their numbers may come back with the archive, and must not be taken for those of the deleted ones. */
async function forgetDeletions(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM deleted_stores d WHERE d.emptied_at IS NULL LIMIT 1');
  if (rowCount !== 0) throw new Conflict('Data of deleted stores is still being removed. Try again later.');
  await client.query(
    'DELETE FROM deleted_stores; DELETE FROM deleted_merchants; DELETE FROM event_counters WHERE is_closed',
  );
}

/** The merchant of an archive and its stores, as they come. */
export function createRestored() {
  let merchantId: string | undefined;
  const storeKeys = new Set<number>();
  return {
    merchantId: () => merchantId,
    storeKeys: () => [...storeKeys],
    note(table: string, rows: string | Uint8Array) {
      if (table !== 'merchants' && table !== 'stores') return;
      const list = JSON.parse(Buffer.from(rows).toString()) as { id?: string; store_key?: number }[];
      if (table === 'merchants') merchantId = list.length === 1 ? list[0]?.id : undefined;
      else for (const { store_key: storeKey } of list) storeKeys.add(Number(storeKey));
    },
  };
}
export type Restored = ReturnType<typeof createRestored>;

const UNIQUE_VIOLATION = '23505';

/** Rows of anyone else are not taken, nor what is here already. */
export async function insertRowsOf(
  client: pg.Client,
  restored: Restored,
  section: ArchiveSection,
  rows: string | Uint8Array,
  count: number,
): Promise<void> {
  const { table } = section;
  restored.note(table, rows);
  const { belongsBy = 'store_key', isMerged = false } = tableNamed(table);
  const [merchantId, storeKeys] = [restored.merchantId() ?? null, restored.storeKeys()];
  const [condition, value] = {
    id: ['r.id = $2', merchantId],
    merchant_id: ['r.merchant_id = $2', merchantId],
    store_key: ['r.store_key = ANY ($2::integer[])', storeKeys],
    // Of any other store it would be sent the events.
    webhook_id: [
      `r.webhook_id IN (SELECT w.id FROM webhooks w WHERE w.merchant_id = $2)
       AND r.store_key IN (SELECT s.store_key FROM stores s WHERE s.merchant_id = $2)`,
      merchantId,
    ],
    order_id: ['$2::uuid IS NOT NULL', merchantId],
  }[belongsBy] as [string, unknown];
  const foreign = new Conflict(`The archive has rows in ${table} that are not of its merchant`);
  // Of merged rows fewer may be taken than there are.
  if (isMerged && !isOwn(rows, merchantId, storeKeys)) throw foreign;
  const taken = await insertRows(client, section, rows, { condition, value }).catch((error: unknown) => {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
    throw new Conflict(
      `The installation already has this merchant, or something in ${table} with the same id or number. A merchant is ` +
        'restored once, into an installation or cell that has never had it.',
    );
  });
  if (taken !== count && !isMerged) throw foreign;
}

/** Whether rows that name an order or a merchant are all of this merchant. */
function isOwn(rows: string | Uint8Array, merchantId: string | null, storeKeys: readonly number[]): boolean {
  const list = JSON.parse(Buffer.from(rows).toString()) as {
    order_id?: string | number;
    merchant_id?: unknown;
  }[];
  return list.every(({ order_id: orderId, merchant_id: owner }) =>
    orderId === undefined ? owner === merchantId : storeKeys.includes(storeKeyOfOrder(String(orderId)) ?? 0),
  );
}

/** Menu ids are unique in an installation. Cells never give the same; other installations may have. */
async function refuseSharedIds(client: pg.Client, restored: Restored): Promise<void> {
  const { rowCount } = await client.query(
    `WITH own AS MATERIALIZED (SELECT e.id FROM menu_entities e WHERE e.store_key = ANY ($1::integer[]))
     SELECT FROM menu_entities other
     WHERE other.store_key <> ALL ($1::integer[]) AND other.id IN (SELECT own.id FROM own) LIMIT 1`,
    [restored.storeKeys()],
  );
  if (rowCount !== 0)
    throw new Conflict(
      'Ids of its menus are in use here. Merchants can only move between installations that are different cells (COMANDA_CELL).',
    );
}

async function insertRows(
  client: pg.Client,
  { table, columns }: ArchiveSection,
  rows: string | Uint8Array,
  only?: { readonly condition: string; readonly value: unknown },
): Promise<number> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const { isMerged = false } = tableNamed(table);
  const { rowCount } = await client.query(
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json) r
     ${only === undefined ? '' : `WHERE ${only.condition}`} ${isMerged ? 'ON CONFLICT DO NOTHING' : ''}`,
    only === undefined ? [rows] : [rows, only.value],
  );
  return rowCount ?? 0;
}

/** Ids lead to their cell, and each cell gives numbers that no other does: stores stay with the cell that made them. */
async function refuseOtherCell(tx: Queryable): Promise<void> {
  const { cell } = await readCell(tx);
  const other = await findOtherCell(tx, cell);
  if (other === undefined) return;
  throw new Conflict(
    `The archive is of cell ${other}, and this installation is cell ${cell}. Restore it into a new installation that was ` +
      `first started with COMANDA_CELL=${other}.`,
  );
}

/** Counting the orders of 0.1.0 in the sales was the work of 0.2.0. */
async function refuseUncounted(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT o.store_key FROM orders o WHERE o.local_hour < 0
     UNION ALL SELECT p.store_key FROM sales_progress p WHERE NOT p.is_done LIMIT 1`,
  );
  if (rowCount === 0) return;
  throw new Conflict(
    'The sales do not count all orders of the archive, as in those of version 0.1.0. Restore it with version 0.2.0, which ' +
      'counts them, and make a new backup there after a few minutes.',
  );
}

/** For the planner. */
export async function analyze(client: pg.Client): Promise<void> {
  const tables = [...BACKUP_TABLES.map(({ name }) => name), 'order_counts', 'order_search'];
  await client.query(`ANALYZE ${tables.join(', ')}`);
}

/** The installation that the archive is of has given numbers to events since, and this one will give them to others. */
async function beginEpoch(client: pg.Client): Promise<void> {
  await client.query('UPDATE event_epoch SET epoch = $1 WHERE number = 1', [randomUUID()]);
}

/** Counts the orders of every store anew, or of the given ones. */
export async function recountOrders(db: Queryable, storeKeys: readonly number[] | undefined): Promise<void> {
  const stores = await db.query<{ store_key: number }>({
    name: 'orders-recount-stores',
    text: `SELECT stores.store_key FROM stores WHERE $1::integer[] IS NULL OR stores.store_key = ANY ($1)
           ORDER BY stores.store_key`,
    values: [storeKeys ?? null],
  });
  for (const { store_key: storeKey } of stores) {
    await db.query({ name: 'orders-recount', text: RECOUNT, values: [COUNT_SLOT, storeKey] });
  }
}

const COUNT_SLOT = 0;
const RECOUNT = insertCountsFrom(`(
  SELECT o.store_key, o.status, (${hourOf(0)} + floor(extract(epoch FROM o.created_at) / 3600))::integer AS hour
  FROM orders o WHERE o.store_key = $2)`);

function setPast({ name, table, column, below }: BackupSequence): string {
  // Numbers of other cells, which a merchant brings along, are not drawn from this sequence.
  const drawn = `WHERE ${column} BETWEEN s.min_value AND ${below === undefined ? 's.max_value' : `least(s.max_value, ${below - 1})`}`;
  return `
    SELECT setval('${name}', top.number)
    FROM (SELECT max(${column}) AS number FROM ${table}, pg_sequences s ${drawn}
            AND s.schemaname = current_schema() AND s.sequencename = '${name}') AS top
    WHERE top.number >= (SELECT last_value FROM ${name})`;
}

function asQueryable(client: pg.Client): Queryable {
  const query = async <Row>({ name, text, values = [] }: Statement) =>
    (await client.query({ name, text, values: [...values] })).rows as Row[];
  return { query, read: query };
}
