import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { hourOf } from '../../domain/order/buckets.js';
import type { NewOrder } from '../../domain/order/new-order.js';
import type { Database, Transaction } from '../database.js';
import { insertCountsFrom, insertFrom, insertSearchFrom, STAGED_COLUMNS } from './insert-orders.js';

/**
 * One line of COPY's text form for the stage: the store, then the values of STAGED_COLUMNS in their order. Written out by
 * hand because an import spends most of its time here; only what a caller wrote can need escaping.
 */
export function stageLine(storeKey: number, order: NewOrder): string {
  const told = `${storeKey}\t${order.id}\t${order.createdAt}\t${order.readyBy}\t${order.completedAt ?? '\\N'}\t${order.arrivedAt}\t${order.status}\t${
    order.isRead
  }\t${order.inPos}\t${order.price}\t${order.tax}\t${escaped(order.externalId)}\t${order.fingerprint}`;
  const customer = `${escaped(order.customerName)}\t${escaped(order.customerPhone)}\t${escaped(order.customerComments)}`;
  const searched = `${escaped(order.name)}\t${order.digits}\t${order.isLong}\t{${order.grams.join(',')}}`;
  return `${told}\t${customer}\t${escaped(order.items)}\t${searched}\t${hourOf(order.createdMs)}\n`;
}

/** Staged lines of several orders and how many each store has. */
export interface StagedChunk {
  readonly bytes: readonly Uint8Array[];
  readonly perStore: ReadonlyMap<number, number>;
}

/** Writes a chunk in one transaction and answers how many orders it made; the rest were there before. */
export function insertStaged(db: Database, slot: number, chunk: StagedChunk): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.client.query(CREATE_STAGE);
    await copyIn(tx, chunk.bytes);
    let made = 0;
    // Ascending, so that two imports that share stores cannot block each other in a ring.
    for (const storeKey of [...chunk.perStore.keys()].sort((a, b) => a - b)) {
      made += await insertStoresOrders(tx, slot, storeKey, chunk.perStore.get(storeKey) ?? 0);
    }
    return made;
  });
}

async function copyIn(tx: Transaction, bytes: readonly Uint8Array[]): Promise<void> {
  const stream = tx.client.query(copyFrom(`COPY order_stage (store_key, ${COLUMNS}) FROM STDIN`));
  await pipeline(Readable.from(bytes), stream);
}

async function insertStoresOrders(
  tx: Transaction,
  slot: number,
  storeKey: number,
  staged: number,
): Promise<number> {
  const { rowCount } = await tx.client.query({
    name: 'orders-stage-insert',
    text: INSERT,
    values: [storeKey],
  });
  const made = rowCount ?? 0;
  if (made === 0) return 0;
  const isWhole = made === staged;
  await tx.query({
    name: `orders-stage-search-${isWhole ? 'all' : 'made'}`,
    text: insertSearchFrom(isWhole ? STAGED : STAGED_AND_MADE),
    values: [storeKey],
  });
  await tx.query({
    name: `orders-stage-count-${isWhole ? 'all' : 'made'}`,
    text: insertCountsFrom(isWhole ? STAGED : STAGED_AND_MADE),
    values: [storeKey, slot],
  });
  return made;
}

function escaped(text: string | undefined): string {
  if (text === undefined) return '\\N';
  return SPECIAL.test(text)
    ? text.replace(EACH_SPECIAL, (character) => ESCAPED[character] ?? character)
    : text;
}

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const COLUMNS = Object.keys(STAGED_COLUMNS).join(', ');
const STAGED = '(SELECT * FROM order_stage WHERE store_key = $1)';
// The ids were made for this import, so an order under one of them is one that this chunk made.
const STAGED_AND_MADE = `(
  SELECT s.* FROM order_stage s
  WHERE s.store_key = $1 AND EXISTS (SELECT FROM orders o WHERE o.store_key = $1 AND o.id = s.id))`;

const CREATE_STAGE = `CREATE TEMPORARY TABLE IF NOT EXISTS order_stage (
  store_key integer, ${Object.entries(STAGED_COLUMNS)
    .map(([name, type]) => `${name} ${name === 'grams' ? 'integer[]' : type}`)
    .join(', ')}) ON COMMIT DELETE ROWS`;
const INSERT = insertFrom(STAGED);
