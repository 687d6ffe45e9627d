import type pg from 'pg';
import { ARRIVING } from '../access/moving.js';
import { writeEntry } from '../audit/audit.sql.js';
import type { Database, Queryable } from '../postgres/database.js';
import { requireKnownSchema } from '../postgres/schema-migrations.js';
import type { Actor } from '../support/actor.js';
import { Conflict, NotFound } from '../support/errors.js';
import { refuseArchive, type ArchiveSection, type ChangesReport } from './archive.js';
import { readColumns, readDigest, tableNamed, tablesOf } from './backup.sql.js';
import { lockMerchantAndStores } from './deletions.sql.js';
import { hold, readMove } from './moves.sql.js';
import {
  createRestored,
  fillInTransaction,
  insertRowsOf,
  recountOrders,
  type Open,
  type Restored,
} from './restore.sql.js';

/** Rows that follow from the orders, and are in no archive. */
const DERIVED_TABLES = ['order_search', 'order_counts'];

/** Brings a merchant that is arriving up to date: small tables anew, of large ones what has changed. */
export function changeArriving(
  knownSchema: number,
  merchantId: string,
): Open<Pick<ChangesReport, 'differing'>> {
  return async (client, tx) => {
    const { storeKeys, position: present } = await lockArriving(tx, merchantId);
    const tables = tablesOf(merchantId, storeKeys);
    for (const { name, only, isLarge } of tables.toReversed())
      if (name !== 'merchants' && isLarge !== true) await client.query(`DELETE FROM ${name} WHERE ${only}`);
    const restored = createRestored();
    const sections: ArchiveSection[] = [];
    return {
      schema: await requireKnownSchema(client, knownSchema),
      columns: (table) => readColumns(client, table),
      open: async (section) => {
        sections.push(section);
        const table = tables.find(({ name }) => name === section.table);
        if (table?.isLarge === true && section.changed !== true)
          await client.query(`DELETE FROM ${table.name} WHERE ${table.only}`);
      },
      insert: async (section, rows, count) => {
        if (section.table === 'merchants') return updateMerchant(client, restored, section, rows);
        await removeSame(client, section.table, rows);
        await insertRowsOf(client, restored, section, rows, count);
      },
      finish: async ({ digests = {}, position = '' }) => {
        if (restored.merchantId() !== merchantId)
          throw refuseArchive(1, 'these are the changes of another merchant');
        refuseOlder(position, present);
        const keys = restored.storeKeys();
        const gone = storeKeys.filter((key) => !keys.includes(key));
        await removeStores(client, merchantId, gone);
        await client.query('DELETE FROM order_counts WHERE order_counts.store_key = ANY ($1)', [keys]);
        await recountOrders(tx, keys);
        const differing: string[] = [];
        for (const table of tablesOf(merchantId, keys)) {
          const columns = sections.find((section) => section.table === table.name)?.columns;
          if (columns === undefined || (await readDigest(client, table, columns)) !== digests[table.name])
            differing.push(table.name);
        }
        await hold(tx, { id: merchantId, storeKeys: keys, position });
        return { differing };
      },
    };
  };
}

/** Removes a copy that has not been put into use, as if it had never been here. */
export function removeArriving(db: Database, merchantId: string, by: Actor): Promise<void> {
  return fillInTransaction(db, async (client, tx) => {
    const { storeKeys } = await lockArriving(tx, merchantId);
    await removeStores(client, merchantId, storeKeys);
    for (const { name, only } of tablesOf(merchantId, []).reverse())
      await client.query(`DELETE FROM ${name} WHERE ${only}`);
    await writeEntry(tx, 'merchant.move_given_up', { by, subject: merchantId });
  });
}

async function lockArriving(tx: Queryable, merchantId: string) {
  const storeKeys = await lockMerchantAndStores(tx, merchantId);
  const move = await readMove(tx, merchantId);
  if (storeKeys === undefined || move === undefined) throw new NotFound('Merchant');
  if (move.moving !== ARRIVING) throw new Conflict('The merchant is not arriving here');
  return { storeKeys, position: move.position ?? '' };
}

/** Two moves at once must not undo each other's work: snapshots only go forward. */
function refuseOlder(position: string, present: string): void {
  const newest = (text: string) => BigInt(/^\d+:(\d+)$/.exec(text)?.[1] ?? 0);
  if (newest(position) < newest(present)) throw new Conflict('Later changes are here already');
}

/** Removes the rows that the given ones replace. */
async function removeSame(client: pg.Client, table: string, rows: string | Uint8Array): Promise<void> {
  const { sortedBy = 'id' } = tableNamed(table);
  const same = sortedBy
    .replaceAll(' COLLATE "C"', '')
    .split(', ')
    .map((column) => `t.${column} = r.${column}`);
  await client.query(
    `DELETE FROM ${table} t USING json_populate_recordset(NULL::${table}, $1::json) r WHERE ${same.join(' AND ')}`,
    [rows],
  );
}

/** Stores and keys refer to its row, so that it stays. */
async function updateMerchant(
  client: pg.Client,
  restored: Restored,
  { table, columns }: ArchiveSection,
  rows: string | Uint8Array,
): Promise<void> {
  restored.note(table, rows);
  const list = columns.map((column) => client.escapeIdentifier(column));
  await client.query(
    `UPDATE merchants SET (${list.join(', ')}) = (SELECT ${list.map((column) => `r.${column}`).join(', ')})
     FROM json_populate_recordset(NULL::merchants, $1::json) r WHERE merchants.id = r.id`,
    [rows],
  );
}

async function removeStores(
  client: pg.Client,
  merchantId: string,
  storeKeys: readonly number[],
): Promise<void> {
  if (storeKeys.length === 0) return;
  const tables = tablesOf(merchantId, storeKeys).filter(({ belongsBy }) => belongsBy === undefined);
  for (const { name } of [...tables, ...DERIVED_TABLES.map((name) => ({ name }))])
    await client.query(`DELETE FROM ${name} WHERE ${name}.store_key = ANY ($1)`, [storeKeys]);
}
