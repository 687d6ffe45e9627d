import type { Database } from '../../db/database.js';
import { insertStaged, stageLine } from '../../db/orders/stage-orders.js';
import type { NewOrder } from '../../domain/order/new-order.js';
import type { GiveBack, Slots } from '../../domain/slots.js';

/** Gathers an import's orders into chunks and writes each in a transaction of its own, while the next one is read. */
export interface ImportChunks {
  /** Waits while the database is behind, and fails when an earlier chunk has failed. */
  add(storeKey: number, order: NewOrder): Promise<void> | undefined;
  /** Writes what has been gathered and waits for everything. */
  flush(): Promise<void>;
  /** Waits until nothing is under way, whether it went well or not. */
  settled(): Promise<void>;
  tally(): { readonly created: number; readonly existing: number };
}

const CHUNK_ORDERS = 5_000;
const CHUNK_BYTES = 8_000_000;
/** Text is turned into bytes at this size: it then lies outside the heap and need not be collected. */
const TEXT_CHARACTERS = 65_536;

export interface ChunkOptions {
  /** The slot of the counts that this process writes to. */
  readonly countSlot: number;
  /** One for each chunk that is being written; shared by all imports. */
  readonly writers: Slots;
  /** Whose import it is; owners that wait for a writer get one in turn. */
  readonly owner?: string;
  readonly keyId: string;
}

export function createImportChunks(
  db: Database,
  { countSlot, writers, owner, keyId }: ChunkOptions,
): ImportChunks {
  const underWay = new Set<Promise<void>>();
  let created = 0;
  let existing = 0;
  let failure: { readonly error: unknown } | undefined;
  let chunk = emptyChunk();

  async function write({ bytes, orders }: Chunk, giveBack: GiveBack): Promise<void> {
    try {
      const act = { keyId, at: new Date().toISOString() };
      const made = await insertStaged(db, countSlot, { bytes, orders }, act);
      created += made;
      existing += orders - made;
    } catch (error) {
      failure ??= { error };
    } finally {
      giveBack();
    }
  }

  async function send(): Promise<void> {
    const full = chunk;
    flushText(full);
    chunk = emptyChunk();
    const giveBack = await writers.take({ owner });
    const written = write(full, giveBack).finally(() => underWay.delete(written));
    underWay.add(written);
    throwFailure();
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    add(storeKey, order) {
      chunk.text += stageLine(storeKey, order);
      chunk.orders += 1;
      if (chunk.text.length >= TEXT_CHARACTERS) flushText(chunk);
      const isFull = chunk.orders >= CHUNK_ORDERS || chunk.size >= CHUNK_BYTES;
      return isFull ? send() : undefined;
    },
    async flush() {
      if (chunk.orders > 0) await send();
      await Promise.all(underWay);
      throwFailure();
    },
    async settled() {
      await Promise.all(underWay);
    },
    tally: () => ({ created, existing }),
  };
}

interface Chunk {
  readonly bytes: Uint8Array[];
  orders: number;
  size: number;
  /** What is not among the bytes yet. */
  text: string;
}

function emptyChunk(): Chunk {
  return { bytes: [], orders: 0, size: 0, text: '' };
}

function flushText(chunk: Chunk): void {
  const bytes = Buffer.from(chunk.text);
  chunk.bytes.push(bytes);
  chunk.size += bytes.length;
  chunk.text = '';
}
