import { BOUNDS, CONNECTIONS } from '../../support/bounds.js';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import type { StoreScope } from '../../access/principal.js';
import type { Menus } from '../../menus/rendering/menus.js';
import type { Database, Queryable } from '../../postgres/database.js';
import { createFairSemaphore } from '../../support/fair-semaphore.js';
import { ValidationFailed, type ErrorDetail } from '../../support/error-details.js';
import { parseJson } from '../../support/json.js';
import { readLines, type NumberedLine } from '../../support/ndjson.js';
import { compileBody } from '../../support/shape/compile-shape.js';
import { findStores } from '../../tenants/stores.sql.js';
import { createOrderIds, type OrderIds } from '../id.js';
import type { ImportReport } from './import-report.js';
import { createImportChunks } from './import.sql.js';
import { newOrder, type NewOrder } from '../intake/new-order.js';
import type { PrepTimes } from '../intake/portions.js';
import { ImportedOrder } from '../request-shapes.js';

interface Importer {
  /** The part of the database that stores are looked up in. */
  readonly db: Queryable;
  readonly scope: StoreScope;
  readonly keyId: string;
  /** Aborts when nobody waits for the report any more. */
  readonly signal: AbortSignal;
}

interface OrderImportOptions {
  readonly db: Database;
  readonly prices: Menus['prices'];
  /** The shard of the counts that this process writes to. */
  readonly counterShard: number;
  readonly maxDepth: number;
  readonly maxLineBytes: number;
}

const REPORTED = 100;
const CHUNK_TIMEOUT_MS = 120_000;

const LONGEST_WAIT_MS = 60_000;

/** Reads orders line by line. What has been written stays, also when the rest fails. */
export function createOrderImport(options: OrderImportOptions) {
  const { db, prices, counterShard, maxDepth, maxLineBytes } = options;
  // Imports have connections of their own, however many run: requests never wait for them.
  const importDb = db.sidePool({
    poolSize: CONNECTIONS.imports,
    statementTimeoutMs: CHUNK_TIMEOUT_MS,
    workload: 'bulk',
  });
  const imports = createFairSemaphore(BOUNDS.imports);
  const writers = createFairSemaphore({ size: CONNECTIONS.imports });
  // Lines may arrive faster than anything else gets done: one group for all imports, then everything else has its turn.
  const readers = createFairSemaphore({ size: 1 });
  const readLine = createLineReader(createOrderIds(), maxDepth, maxLineBytes);

  async function importFrom(
    source: AsyncIterable<Uint8Array>,
    { db: own, scope, keyId }: Importer,
    owner: string,
  ): Promise<ImportReport> {
    const refusals = createRefusals();
    const stores = createStoreLookup(own, scope, async (store) => {
      const { list } = await prices.read(store, store.menu);
      return { items: new Map([...list.items].filter(([, { prepTime }]) => prepTime > 0)) };
    });
    const chunks = createImportChunks(importDb, {
      counterShard,
      writers,
      owner,
      keyId,
      onDeleted: (line) => refusals.add(line, STORE_NOT_FOUND),
    });
    const inTurn = async <T>(work: () => T): Promise<T> => {
      const release = await readers.acquire({ owner });
      try {
        return work();
      } finally {
        void letOthersRun().then(release);
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
              : readLine.prepare(request, stores.storeOf(request.store_id))),
          })),
        );
        for (const order of prepared) {
          if (order.refusal !== undefined) refusals.add(order.line, order.refusal);
          else if ('order' in order) await chunks.add(order.storeKey, order.order, order.line);
        }
      }
      await chunks.flush();
    } finally {
      await chunks.settled();
    }
    return { ...chunks.tally(), ...refusals.report() };
  }

  return async (source: AsyncIterable<Uint8Array>, importer: Importer): Promise<ImportReport> => {
    const owner = importer.scope.merchantId ?? importer.keyId;
    const release = await imports.acquire({ owner, waitMs: LONGEST_WAIT_MS, signal: importer.signal });
    try {
      return await importFrom(source, importer, owner);
    } finally {
      release();
    }
  };
}

/** Past this an import forgets what it has seen, so that made-up ids cannot fill the memory. */
const REMEMBERED = 1_000;

interface ImportingStore extends RequestedStore {
  /** Only where the store has settings of pace. */
  readonly prepTimes: PrepTimes | undefined;
}

function createStoreLookup(
  db: Queryable,
  scope: StoreScope,
  readPrepTimes: (store: RequestedStore) => Promise<PrepTimes>,
) {
  const stores = new Map<string, ImportingStore | undefined>();
  return {
    /** Looks up the ids not seen before, all at once. */
    async learn(ids: readonly (string | undefined)[]): Promise<void> {
      if (stores.size > REMEMBERED) stores.clear();
      const unseen = [...new Set(ids)].filter((id) => id !== undefined).filter((id) => !stores.has(id));
      if (unseen.length === 0) return;
      const found = await findStores(db, unseen, scope);
      for (const id of unseen) {
        const store = found.get(id);
        const prepTimes =
          store === undefined || store.intakeRevision === 0 ? undefined : await readPrepTimes(store);
        stores.set(id, store && { ...store, prepTimes });
      }
    },
    storeOf: (id: string) => stores.get(id),
  };
}

/** Why a line is refused: what a single intake of it would have answered. */
type Refusal = string | readonly ErrorDetail[];
const STORE_NOT_FOUND = 'Store not found';

/** Counts all refusals and keeps those of the first lines. Lines of a deleted store are refused late. */
function createRefusals() {
  let refused = 0;
  let kept: ImportReport['errors'] = [];
  const first = () => kept.sort((a, b) => a.line - b.line).slice(0, REPORTED);
  return {
    add(line: number, detail: Refusal): void {
      refused += 1;
      kept.push({ line, detail });
      if (kept.length >= 2 * REPORTED) kept = first();
    },
    report: () => ({ refused, errors: first() }),
  };
}

function createLineReader(orderIds: OrderIds, maxDepth: number, maxLineBytes: number) {
  const check = compileBody(ImportedOrder, 'refused');
  return {
    /** A blank line is neither a request nor a refusal. */
    parse({ bytes }: NumberedLine): { readonly request?: ImportedOrder; readonly refusal?: Refusal } {
      if (bytes === undefined) return { refusal: `Line longer than ${maxLineBytes} bytes` };
      if (isBlank(bytes)) return {};
      return orRefusal(() => ({ request: check(parseJson(bytes, { maxDepth, exactIntegers: true })) }));
    },
    /** `store` is undefined where the line's store does not exist for this caller. */
    prepare(
      request: ImportedOrder,
      store: ImportingStore | undefined,
    ):
      | { readonly refusal: Refusal }
      | { readonly refusal?: undefined; readonly storeKey: number; readonly order: NewOrder } {
      if (store === undefined) return { refusal: STORE_NOT_FOUND };
      const { storeKey, timezone, prepTimes } = store;
      const arrival = { storeKey, timezone, prepTimes, id: orderIds(storeKey), at: Date.now() };
      return orRefusal(() => ({
        storeKey,
        order: newOrder(request, arrival),
      }));
    },
  };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function orRefusal<T>(make: () => T): T | { readonly refusal: Refusal } {
  try {
    return make();
  } catch (error) {
    if (error instanceof ValidationFailed) return { refusal: error.errors };
    throw error;
  }
}
