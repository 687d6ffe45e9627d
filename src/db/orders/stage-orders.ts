import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { hourOf } from '../../domain/order/count-buckets.js';
import { ordersImported, type Act } from '../../domain/event/event.js';
import type { NewOrder } from '../../domain/order/new-order.js';
import type { Database, Transaction } from '../database.js';
import { appendToStores } from '../events.js';
import { insertCountsFrom } from './order-counts.js';

/** The columns of the stage after the store, in the order of a line. `hour` numbers the bucket of the count. */
const STAGED_COLUMNS = {
  id: 'uuid',
  created_at: 'timestamptz',
  ready_by: 'timestamptz',
  completed_at: 'timestamptz',
  updated_at: 'timestamptz',
  status: 'order_status',
  is_read: 'boolean',
  in_pos: 'boolean',
  price: 'bigint',
  tax: 'bigint',
  external_id: 'text',
  fingerprint: 'text',
  customer_name: 'text',
  customer_phone: 'text',
  customer_comments: 'text',
  items: 'text',
  name: 'text',
  digits: 'text',
  is_long: 'boolean',
  grams: 'integer[]',
  hour: 'integer',
} as const;

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

/** Staged lines, and how many there are. */
export interface StagedChunk {
  readonly bytes: readonly Uint8Array[];
  readonly orders: number;
}

/** Writes a chunk in one transaction and answers how many orders it made; the rest were there before. */
export function insertStaged(db: Database, countSlot: number, chunk: StagedChunk, act: Act): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.client.query(CREATE_STAGE);
    await copyIn(tx, chunk.bytes);
    const made = await insertFromStage(tx, countSlot, chunk.orders);
    const perStore = new Map<number, number>();
    for (const { store_key: store } of made) perStore.set(store, (perStore.get(store) ?? 0) + 1);
    // Event counters are the last rows that any writer takes.
    const events = [...perStore].map(([store, created]) => [store, ordersImported(created, act)] as const);
    if (events.length > 0) await appendToStores(tx, new Map(events));
    return made.length;
  });
}

async function copyIn(tx: Transaction, bytes: readonly Uint8Array[]): Promise<void> {
  const stream = tx.client.query(copyFrom(`COPY order_stage (store_key, ${COLUMNS}) FROM STDIN`));
  await pipeline(Readable.from(bytes), stream);
}

interface MadeOrder {
  readonly store_key: number;
  readonly id: string;
}

/** Writes the staged orders of all stores at once, however their lines were mixed, and answers which were made. */
async function insertFromStage(tx: Transaction, countSlot: number, staged: number): Promise<MadeOrder[]> {
  // Counted by what comes back: a sharded database also reports rows that it left out.
  const made = await tx.query<MadeOrder>({ name: 'orders-stage-insert', text: INSERT });
  if (made.length === 0) return [];
  const ids = made.length === staged ? null : made.map(({ id }) => id);
  await tx.query({ name: 'orders-stage-search', text: INSERT_SEARCH, values: [ids] });
  await tx.query({ name: 'orders-stage-count', text: INSERT_COUNTS, values: [countSlot, ids] });
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

const CREATE_STAGE = `CREATE TEMPORARY TABLE IF NOT EXISTS order_stage (
  store_key integer, ${Object.entries(STAGED_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}) ON COMMIT DELETE ROWS`;

// Sorted, so that writers that meet cannot block each other in a ring.
const INSERT = `
  INSERT INTO orders (store_key, id, created_at, ready_by, completed_at, updated_at, status, is_read, in_pos, price,
    tax, external_id, fingerprint, customer_name, customer_phone, name_key, digits_key, customer_comments, items)
  SELECT i.store_key, i.id, i.created_at, i.ready_by, i.completed_at, i.updated_at, i.status, i.is_read, i.in_pos,
    i.price, i.tax, i.external_id, decode(i.fingerprint, 'hex'), i.customer_name, i.customer_phone,
    CASE WHEN i.is_long THEN NULL ELSE i.name END, CASE WHEN i.is_long THEN NULL ELSE i.digits END,
    i.customer_comments, i.items
  FROM order_stage i
  ORDER BY i.store_key, i.external_id, i.id
  ON CONFLICT DO NOTHING
  RETURNING orders.store_key, orders.id`;

/** The staged orders that were made: all, where no ids are given. */
const made = (ids: string) =>
  `(SELECT * FROM order_stage s WHERE ${ids}::uuid[] IS NULL OR s.id = ANY (${ids}))`;

const INSERT_SEARCH = `
  INSERT INTO order_search (store_key, id, created_at, is_long, name, digits, grams)
  SELECT i.store_key, i.id, i.created_at, i.is_long, i.name, i.digits, i.grams FROM ${made('$1')} i`;

const INSERT_COUNTS = insertCountsFrom(made('$2'));
