import { once } from 'node:events';
import { from as copyFrom } from 'pg-copy-streams';
import type { NewOrder } from '../../domain/order/new-order.js';
import type { Database, Transaction } from '../database.js';
import {
  insertCountsFrom,
  insertFrom,
  insertSearchFrom,
  STAGED_COLUMNS,
  stagedValues,
} from './insert-orders.js';

/** One line of COPY's text form for the stage. */
export function stageLine(storeKey: number, order: NewOrder): string {
  let line = String(storeKey);
  for (const value of stagedValues(order)) line += `\t${copyText(value)}`;
  return `${line}\n`;
}

/** Staged lines of several orders and how many each store has. */
export interface StagedChunk {
  readonly text: string;
  readonly perStore: ReadonlyMap<number, number>;
}

/** Writes a chunk in one transaction and answers how many orders it made; the rest were there before. */
export function insertStaged(db: Database, slot: number, chunk: StagedChunk): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.client.query(CREATE_STAGE);
    await copyIn(tx, chunk.text);
    let made = 0;
    // Ascending, so that two imports that share stores cannot block each other in a ring.
    for (const storeKey of [...chunk.perStore.keys()].sort((a, b) => a - b)) {
      made += await insertStoresOrders(tx, slot, storeKey, chunk.perStore.get(storeKey) ?? 0);
    }
    return made;
  });
}

async function copyIn(tx: Transaction, text: string): Promise<void> {
  const stream = tx.client.query(copyFrom(`COPY order_stage (store_key, ${COLUMNS}) FROM STDIN`));
  stream.end(text);
  await once(stream, 'finish');
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

function copyText(value: string | number | boolean | undefined): string {
  if (value === undefined) return '\\N';
  if (typeof value !== 'string') return String(value);
  return SPECIAL.test(value)
    ? value.replace(EACH_SPECIAL, (character) => ESCAPED[character] ?? character)
    : value;
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
