import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { MORNING_HOUR } from '../../calendar/wall-clock.js';
import type { Act } from '../../events/event.js';
import { appendToStores, StoresDeleted } from '../../events/events.sql.js';
import type { Database, Transaction } from '../../postgres/database.js';
import type { FairSemaphore, Release } from '../../support/fair-semaphore.js';
import { hourOf, insertCountsFrom } from '../list/counts.sql.js';
import { ordersImported } from '../events.js';
import { COLUMNS, CREATE_STAGE, ORDER_COLUMNS, stageLine } from './import-stage.sql.js';
import type { NewOrder } from '../intake/new-order.js';
import { localHourOf } from '../sales/sales.js';
import { countImported, findUnlisted, type ImportedSale, type ListedItems } from '../sales/sales.sql.js';

const CHUNK_ORDERS = 5_000;
const CHUNK_BYTES = 8_000_000;
/** Text is turned into bytes at this size: it then lies outside the heap and need not be collected. */
const TEXT_CHARACTERS = 65_536;

interface ChunkOptions {
  /** The slot of the counts that this process writes to. */
  readonly counterShard: number;
  /** One for each chunk that is being written; shared by all imports. */
  readonly writers: FairSemaphore;
  /** The owner of the import; waiting owners get a writer in turn. */
  readonly owner?: string;
  readonly keyId: string;
  /** Called with each line whose store was deleted after it had been looked up. */
  readonly onDeleted: (line: number) => void;
}

/** Gathers an import's orders into chunks and writes each in a transaction of its own, while the next one is read. */
export function createImportChunks(
  db: Database,
  { counterShard, writers, owner, keyId, onDeleted }: ChunkOptions,
) {
  const seen: SeenStores = { deleted: new Set(), listed: new Map() };
  const underWay = new Set<Promise<void>>();
  let created = 0;
  let existing = 0;
  let failure: { readonly error: unknown } | undefined;
  let chunk = emptyChunk();

  async function write(full: Chunk, release: Release): Promise<void> {
    try {
      const act = { keyId, at: new Date().toISOString() };
      const { made, refused } = await insertLiving(db, counterShard, full, act, seen);
      created += made;
      existing += full.orders - made - refused.length;
      refused.forEach(onDeleted);
    } catch (error) {
      failure ??= { error };
    } finally {
      release();
    }
  }

  async function send(): Promise<void> {
    const full = chunk;
    flushText(full);
    chunk = emptyChunk();
    const release = await writers.acquire({ owner });
    const written = write(full, release).finally(() => underWay.delete(written));
    underWay.add(written);
    throwFailure();
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    /** Waits while the database is behind, and fails when an earlier chunk has failed. */
    add(storeKey: number, order: NewOrder, line: number): Promise<void> | undefined {
      const hour = localHourOf(order.createdMs, order.timezone);
      chunk.text += stageLine(storeKey, order, hour, line);
      const { id, status, price, tax, sold } = order;
      chunk.sales.push({ storeKey, id, hour, status, price, tax, sold });
      chunk.orders += 1;
      if (chunk.text.length >= TEXT_CHARACTERS) flushText(chunk);
      const isFull = chunk.orders >= CHUNK_ORDERS || chunk.size >= CHUNK_BYTES;
      return isFull ? send() : undefined;
    },
    /** Writes what has been gathered and waits for everything. */
    async flush() {
      if (chunk.orders > 0) await send();
      await Promise.all(underWay);
      throwFailure();
    },
    /** Waits until nothing is under way, whether it went well or not. */
    async settled() {
      await Promise.all(underWay);
    },
    tally: () => ({ created, existing }),
  };
}

/** Staged lines, and how many there are. */
interface Chunk {
  readonly bytes: Uint8Array[];
  orders: number;
  size: number;
  /** Text that is not encoded into the bytes yet. */
  text: string;
  readonly sales: ImportedSale[];
}

function emptyChunk(): Chunk {
  return { bytes: [], orders: 0, size: 0, text: '', sales: [] };
}

function flushText(chunk: Chunk): void {
  const bytes = Buffer.from(chunk.text);
  chunk.bytes.push(bytes);
  chunk.size += bytes.length;
  chunk.text = '';
}

interface WrittenChunk {
  readonly made: number;
  /** Lines of deleted stores; whatever else was not made was there before. */
  readonly refused: readonly number[];
}

/** What an import has learnt about its stores. */
interface SeenStores {
  readonly deleted: Set<number>;
  readonly listed: ListedItems;
}

/** A store may be deleted at any moment: the chunk is then written again without its lines, and so are all later ones. */
async function insertLiving(
  db: Database,
  counterShard: number,
  chunk: Chunk,
  act: Act,
  seen: SeenStores,
): Promise<WrittenChunk> {
  for (;;) {
    try {
      return await insertStaged(db, counterShard, chunk, act, seen);
    } catch (error) {
      if (!(error instanceof StoresDeleted)) throw error;
      for (const storeKey of error.storeKeys) seen.deleted.add(storeKey);
    }
  }
}

/** Writes a chunk in one transaction, but for the lines of the deleted stores. */
function insertStaged(
  db: Database,
  counterShard: number,
  chunk: Chunk,
  act: Act,
  { deleted, listed }: SeenStores,
): Promise<WrittenChunk> {
  return db.transaction(async (tx) => {
    await tx.client.query(CREATE_STAGE);
    await copyIn(tx, chunk.bytes);
    const refused = deleted.size === 0 ? [] : await refuseStaged(tx, [...deleted]);
    const unlisted = await findUnlisted(tx, chunk.sales, listed);
    await tx.query({ name: 'orders-stage-numbers', text: COUNT_NUMBERS, values: [] });
    const made = await insertFromStage(tx, counterShard, chunk.orders - refused.length, unlisted);
    await countImported(tx, counterShard, chunk.sales, unlisted, made);
    const perStore = new Map<number, number>();
    for (const { store_key: store } of made) perStore.set(store, (perStore.get(store) ?? 0) + 1);
    // Event counters are the last rows that any writer takes.
    const events = [...perStore].map(([store, created]) => [store, ordersImported(created, act)] as const);
    if (events.length > 0) await appendToStores(tx, new Map(events));
    return { made: made.length, refused };
  });
}

async function refuseStaged(tx: Transaction, deleted: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ line: number }>({
    name: 'orders-stage-refuse',
    text: 'DELETE FROM order_stage i WHERE i.store_key = ANY ($1::integer[]) RETURNING i.line',
    values: [deleted],
  });
  return rows.map(({ line }) => line);
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
async function insertFromStage(
  tx: Transaction,
  counterShard: number,
  staged: number,
  unlisted: ReadonlyMap<string, readonly string[]>,
): Promise<MadeOrder[]> {
  // Counted by what comes back: a sharded database also reports rows that it left out.
  const made = await tx.query<MadeOrder>({
    name: 'orders-stage-insert',
    text: INSERT,
    values: [[...unlisted.keys()], [...unlisted.values()].map((ids) => JSON.stringify(ids))],
  });
  if (made.length === 0) return [];
  const ids = made.length === staged ? null : made.map(({ id }) => id);
  await tx.query({ name: 'orders-stage-search', text: INSERT_SEARCH, values: [ids] });
  await tx.query({ name: 'orders-stage-count', text: INSERT_COUNTS, values: [counterShard, ids] });
  return made;
}

/** The next order of a day gets a number after those that came along. Before the orders, as at intake. */
const COUNT_NUMBERS = `
  INSERT INTO order_numbers AS n (store_key, day, last)
  SELECT i.store_key, (i.local_hour - ${MORNING_HOUR}) / 24 - ${hourOf(0) / 24}, max(i.number) FROM order_stage i
  WHERE i.number IS NOT NULL AND i.created_at > now() - interval '2 days'
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (store_key, day) DO UPDATE SET last = greatest(n.last, excluded.last)`;

// Sorted, so that writers that meet cannot block each other in a ring.
const INSERT = `
  INSERT INTO orders (store_key, ${ORDER_COLUMNS.join(', ')}, fingerprint, name_key, digits_key, unlisted)
  SELECT i.store_key, ${ORDER_COLUMNS.map((name) => `i.${name}`).join(', ')}, decode(i.fingerprint, 'hex'),
    CASE WHEN i.is_long THEN NULL ELSE i.name END, CASE WHEN i.is_long THEN NULL ELSE i.digits END,
    CASE WHEN u.id IS NOT NULL THEN ARRAY (SELECT json_array_elements_text(u.items)) END
  FROM order_stage i LEFT JOIN unnest($1::uuid[], $2::json[]) AS u (id, items) ON u.id = i.id
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
