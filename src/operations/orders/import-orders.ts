import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database, Queryable } from '../../db/database.js';
import { findStoreKeys } from '../../db/stores.js';
import type { StoreScope } from '../../domain/key/principal.js';
import type { Fault } from '../../domain/faults.js';
import { createOrderIds } from '../../domain/order/id.js';
import { createSlots } from '../../domain/slots.js';
import { createImportChunks } from './import-chunks.js';
import { createLineReader } from './import-lines.js';
import { readLines } from '../ndjson-lines.js';

interface ImportReport {
  readonly created: number;
  readonly existing: number;
  readonly refused: number;
  readonly errors: readonly ImportRefusal[];
}

interface ImportRefusal {
  readonly line: number;
  readonly detail: string | readonly Fault[];
}

export interface OrderImport {
  /** Reads orders line by line. What has been written stays, also when the rest fails. */
  run(source: AsyncIterable<Uint8Array>, importer: Importer): Promise<ImportReport>;
}

interface Importer {
  /** The part of the database that stores are looked up in. */
  readonly db: Queryable;
  readonly scope: StoreScope;
  readonly keyId: string;
  /** Aborts when nobody waits for the report any more. */
  readonly gone: AbortSignal;
}

export interface OrderImportOptions {
  readonly db: Database;
  /** The slot of the counts that this process writes to. */
  readonly countSlot: number;
  readonly maxDepth: number;
  readonly maxLineBytes: number;
}

const REPORTED = 100;
export const CHUNKS_AT_ONCE = 2;
const CHUNK_TIMEOUT_MS = 120_000;

/** Each holds some megabytes in memory; those that wait are not read. */
const IMPORTS = { size: 8, perOwner: 2 };
const LONGEST_WAIT_MS = 60_000;

export function createOrderImport(options: OrderImportOptions): OrderImport {
  const { db, countSlot, maxDepth, maxLineBytes } = options;
  // Imports have connections of their own, however many run: requests never wait for them.
  const importDb = db.sidePool({
    poolSize: CHUNKS_AT_ONCE,
    statementTimeoutMs: CHUNK_TIMEOUT_MS,
    workload: 'bulk',
  });
  const imports = createSlots(IMPORTS);
  const writers = createSlots({ size: CHUNKS_AT_ONCE });
  // Lines may arrive faster than anything else gets done: one group for all imports, then everything else has its turn.
  const readers = createSlots({ size: 1 });
  const readLine = createLineReader(createOrderIds(), maxDepth, maxLineBytes);

  async function importFrom(
    source: AsyncIterable<Uint8Array>,
    { db: own, scope, keyId }: Importer,
    owner: string,
  ): Promise<ImportReport> {
    const errors: ImportRefusal[] = [];
    let refused = 0;
    const stores = createStoreLookup(own, scope);
    const chunks = createImportChunks(importDb, { countSlot, writers, owner, keyId });
    const inTurn = async <T>(work: () => T): Promise<T> => {
      const giveBack = await readers.take({ owner });
      try {
        return work();
      } finally {
        void letOthersRun().then(giveBack);
      }
    };
    try {
      for await (const lines of readLines(source, maxLineBytes)) {
        const read = await inTurn(() =>
          lines.map((line) => ({ line: line.number, ...readLine.parse(line) })),
        );
        await stores.learn(read.map((each) => each.request?.store_id));
        const prepared = await inTurn(() =>
          read.map(({ line, request, refusal }) => ({
            line,
            ...(request === undefined
              ? { refusal }
              : readLine.prepare(request, stores.keyOf(request.store_id))),
          })),
        );
        for (const order of prepared) {
          if (order.refusal !== undefined) {
            refused += 1;
            if (errors.length < REPORTED) errors.push({ line: order.line, detail: order.refusal });
          } else if ('order' in order) {
            await chunks.add(order.storeKey, order.order);
          }
        }
      }
      await chunks.flush();
    } finally {
      await chunks.settled();
    }
    return { ...chunks.tally(), refused, errors };
  }

  return {
    async run(source, importer) {
      const owner = importer.scope.merchantId ?? importer.keyId;
      const giveBack = await imports.take({ owner, waitMs: LONGEST_WAIT_MS, gone: importer.gone });
      try {
        return await importFrom(source, importer, owner);
      } finally {
        giveBack();
      }
    },
  };
}

interface StoreLookup {
  /** Looks up the ids not seen before, all at once. */
  learn(ids: readonly (string | undefined)[]): Promise<void>;
  keyOf(id: string): number | undefined;
}

/** Past this an import forgets what it has seen, so that made-up ids cannot fill the memory. */
const REMEMBERED = 10_000;

function createStoreLookup(db: Queryable, scope: StoreScope): StoreLookup {
  const keys = new Map<string, number | undefined>();
  return {
    async learn(ids) {
      if (keys.size > REMEMBERED) keys.clear();
      const unseen = [...new Set(ids)].filter((id) => id !== undefined).filter((id) => !keys.has(id));
      if (unseen.length === 0) return;
      const found = await findStoreKeys(db, unseen, scope);
      for (const id of unseen) keys.set(id, found.get(id));
    },
    keyOf: (id) => keys.get(id),
  };
}
