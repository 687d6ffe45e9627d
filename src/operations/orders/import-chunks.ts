import type { Database } from '../../db/database.js';
import { insertStaged, stageLine } from '../../db/orders/stage-orders.js';
import type { Turns } from '../../db/turns.js';
import type { NewOrder } from '../../domain/order/new-order.js';

/** Gathers an import's orders into chunks and writes each in a transaction of its own, while the next one is read. */
export interface Chunks {
  /** Waits while the database is behind, and fails when an earlier chunk has failed. */
  add(storeKey: number, order: NewOrder): Promise<void> | undefined;
  /** Writes what has been gathered and waits for everything. */
  flush(): Promise<void>;
  /** Waits until nothing is under way, whether it went well or not. */
  settled(): Promise<void>;
  tally(): { readonly created: number; readonly existing: number };
}

const CHUNK_ORDERS = 5_000;
const CHUNK_CHARACTERS = 8_000_000;

export function createChunks(db: Database, slot: number, turns: Turns): Chunks {
  const underWay = new Set<Promise<void>>();
  let created = 0;
  let existing = 0;
  let failure: { readonly error: unknown } | undefined;
  let chunk = emptyChunk();

  async function write({ lines, perStore }: Chunk): Promise<void> {
    try {
      const made = await insertStaged(db, slot, { text: lines.join(''), perStore });
      created += made;
      existing += lines.length - made;
    } catch (error) {
      failure ??= { error };
    } finally {
      turns.giveBack();
    }
  }

  async function send(): Promise<void> {
    const full = chunk;
    chunk = emptyChunk();
    await turns.take();
    const written = write(full).finally(() => underWay.delete(written));
    underWay.add(written);
    throwFailure();
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    add(storeKey, order) {
      const line = stageLine(storeKey, order);
      chunk.lines.push(line);
      chunk.characters += line.length;
      chunk.perStore.set(storeKey, (chunk.perStore.get(storeKey) ?? 0) + 1);
      const isFull = chunk.lines.length >= CHUNK_ORDERS || chunk.characters >= CHUNK_CHARACTERS;
      return isFull ? send() : undefined;
    },
    async flush() {
      if (chunk.lines.length > 0) await send();
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
  readonly lines: string[];
  readonly perStore: Map<number, number>;
  characters: number;
}

function emptyChunk(): Chunk {
  return { lines: [], perStore: new Map(), characters: 0 };
}
