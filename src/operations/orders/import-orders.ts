import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import type { TellEvents } from '../../domain/event/event.js';
import type { StoreScope } from '../../domain/key/principal.js';
import type { Fault } from '../../domain/faults.js';
import { createOrderIds } from '../../domain/order/id.js';
import { createSlots } from '../../domain/slots.js';
import { createChunks } from './import-chunks.js';
import { createLineReader } from './import-lines.js';
import { createStoreLookup } from './import-stores.js';
import { readLines } from './ndjson-lines.js';

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
  run(source: AsyncIterable<Uint8Array>, scope: StoreScope, keyId: string): Promise<ImportReport>;
}

export interface OrderImportOptions {
  readonly db: Database;
  /** The slot of the counts that this process writes to. */
  readonly slot: number;
  readonly maxDepth: number;
  readonly maxLineBytes: number;
  readonly tell: TellEvents;
}

const REPORTED = 100;
export const CHUNKS_AT_ONCE = 2;
const CHUNK_TIMEOUT_MS = 120_000;

export function createOrderImport(options: OrderImportOptions): OrderImport {
  const { db, slot, maxDepth, maxLineBytes, tell } = options;
  // Imports have connections of their own, however many run: requests never wait for them.
  const importDb = db.sidePool({
    poolSize: CHUNKS_AT_ONCE,
    statementTimeoutMs: CHUNK_TIMEOUT_MS,
    work: 'bulk',
  });
  const writers = createSlots({ size: CHUNKS_AT_ONCE });
  const readLine = createLineReader(createOrderIds(), maxDepth, maxLineBytes);

  return {
    async run(source, scope, keyId) {
      const errors: ImportRefusal[] = [];
      let refused = 0;
      const stores = createStoreLookup(db, scope);
      const chunks = createChunks(importDb, { slot, writers, keyId, tell });
      try {
        for await (const lines of readLines(source, maxLineBytes)) {
          const read = lines.map((line) => ({ line: line.number, ...readLine.parse(line) }));
          // Lines may arrive faster than anything else gets done: let the writes and other requests go on.
          await letOthersRun();
          await stores.learn(read.map((each) => each.request?.store_id));
          for (const { line, request, refusal } of read) {
            const order =
              request === undefined ? { refusal } : readLine.prepare(request, stores.keyOf(request.store_id));
            if (order.refusal !== undefined) {
              refused += 1;
              if (errors.length < REPORTED) errors.push({ line, detail: order.refusal });
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
    },
  };
}
