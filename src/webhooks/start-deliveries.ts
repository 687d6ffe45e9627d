import { BOUNDS, CONNECTIONS } from '../support/bounds.js';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createBatch } from '../postgres/batch.js';
import type { Database } from '../postgres/database.js';
import { EVENTS_WRITTEN, readKeptRanges } from '../events/events.sql.js';
import { claimCursors, findDue, type Delivery } from './claims.sql.js';
import {
  coverNewStores,
  findMissedEvents,
  markReady,
  readWatchedStores,
  type LastSequences,
} from './cursors.sql.js';
import { createOrderIds } from '../orders/id.js';
import { createFairSemaphore, type Release } from '../support/fair-semaphore.js';
import type { SecretBox, SecretKeeper } from './secrets.js';
import type { Sender } from './http-sender.js';
import { createDeliveryMetrics } from './metrics.js';
import { createProgressWriter } from './progress.js';
import { runDelivery } from './run-delivery.js';

export interface DeliveriesOptions {
  readonly db: Database;
  readonly sender: Sender;
  readonly secrets: SecretKeeper;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly userAgent: string;
}

export type Deliveries = ReturnType<typeof startDeliveries>;

const STATEMENT_MS = 10_000;
/** A process that is killed holds up its endpoints for this long. */
const LEASE_MS = 20_000;
const POLL_EVERY_MS = 500;
/** A process may be killed before it has polled for what it wrote: the others find such events when they reconcile. */
const RECONCILE_EVERY_MS = LEASE_MS;
/** However many events come, it polls no more often than this. */
const MIN_POLL_GAP_MS = 25;

/**
 * Sends the events of stores to the endpoints of their merchants. Each endpoint has a cursor in each of its stores, and
 * a lease on it; processes share the work by taking leases, and a transaction never spans a request to a receiver.
 */
export function startDeliveries(options: DeliveriesOptions) {
  const { sender, secrets, log, userAgent } = options;
  const db = options.db.sidePool({
    poolSize: CONNECTIONS.webhooks,
    statementTimeoutMs: STATEMENT_MS,
    workload: 'bulk',
  });
  const writeProgress = createProgressWriter(db, LEASE_MS, log);
  const metrics = createDeliveryMetrics(options.metrics, db);
  const newDeliveryId = createOrderIds();
  const permits = createFairSemaphore({ ...BOUNDS.deliveries, perStore: BOUNDS.deliveries.perEndpoint });
  const running = new Set<Promise<void>>();
  /** The last events that this process has written since the last poll, by store key. */
  const newEvents = new Map<number, number>();
  /** Stores whose lease this process has released since the last poll: others may have written there meanwhile. */
  const releasedStores = new Set<number>();
  let watchedStores: ReadonlySet<number> = new Set();
  let hasWarned = false;
  let isStopping = false;
  let reconciledAt = -Infinity;

  function start(delivery: Delivery, box: SecretBox, release: Release): void {
    const run = runDelivery(delivery, {
      db,
      sender,
      userAgent,
      box,
      writeProgress,
      metrics,
      log,
      newDeliveryId,
      isStopping: () => isStopping,
    }).finally(() => {
      running.delete(run);
      release();
      releasedStores.add(delivery.due.storeKey);
      if (!isStopping) void poll(undefined);
    });
    running.add(run);
  }

  /** Claims the cursors with something to send, as far as there is room, and marks the others ready for whoever has room. */
  async function claimOrMark(): Promise<void> {
    const [lastSequences, stores] = [new Map(newEvents), [...releasedStores]];
    newEvents.clear();
    releasedStores.clear();
    try {
      for (const [storeKey, { last }] of await readKeptRanges(db, stores)) lastSequences.set(storeKey, last);
      if (lastSequences.size > 0) await coverNewStores(db, { storeKeys: [...lastSequences.keys()] });
      const box = await secrets.present();
      if (box !== undefined) await claimAll(box, lastSequences);
      await markReady(db, lastSequences);
    } catch (error) {
      for (const [storeKey, last] of lastSequences) enqueue(storeKey, last);
      for (const storeKey of stores) releasedStores.add(storeKey);
      throw error;
    }
  }

  function enqueue(storeKey: number, last: number): void {
    newEvents.set(storeKey, Math.max(last, newEvents.get(storeKey) ?? 0));
  }

  /** Claims as long as there is something to claim and room for it. */
  async function claimAll(box: SecretBox, lastSequences: LastSequences): Promise<void> {
    /** Endpoints that have no permit left, or whose cursors somebody else has claimed. */
    const busy = new Set<string>();
    while (!isStopping && running.size < BOUNDS.deliveries.size) {
      const due = await findDue(db, box.id, lastSequences, [...busy]);
      if (due.length === 0) return;
      const permitted = due.flatMap((one) => {
        const { id, merchant_id: merchantId } = one.endpoint;
        const release = permits.tryAcquire({ owner: merchantId, store: id });
        if (release === undefined) busy.add(id);
        return release === undefined ? [] : [{ one, release }];
      });
      const claimed = await claimCursors(
        db,
        permitted.map(({ one }) => one),
        LEASE_MS,
      ).catch((error: unknown) => {
        for (const { release } of permitted) release();
        throw error;
      });
      permitted.forEach(({ one, release }, i) => {
        const delivery = claimed[i];
        if (delivery !== undefined) return start(delivery, box, release);
        release();
        busy.add(one.endpoint.id);
      });
    }
  }

  /** Finds new stores, the stores that have endpoints, and events that no process has polled for. */
  async function reconcile(): Promise<void> {
    await coverNewStores(db, 'all');
    const box = await secrets.present();
    const { storeKeys, unreadable } = await readWatchedStores(db, box?.id);
    watchedStores = storeKeys;
    for (const [storeKey, last] of await findMissedEvents(db)) enqueue(storeKey, last);
    if (unreadable > 0 && !hasWarned)
      log.warn(
        `The secrets of ${unreadable} webhooks cannot be decrypted, so nothing is sent to them. Set ` +
          'COMANDA_SECRET_KEY to the key they were created with, or rotate their secrets.',
      );
    hasWarned = unreadable > 0;
  }

  /** One at a time; who asks meanwhile waits for the next. */
  const poll = createBatch<undefined, undefined>({
    everyMs: MIN_POLL_GAP_MS,
    run: async (asks) => {
      try {
        if (!isStopping && performance.now() - reconciledAt >= RECONCILE_EVERY_MS) {
          reconciledAt = performance.now();
          await reconcile();
        }
        await claimOrMark();
      } catch (error) {
        // The next poll asks again.
        log.debug({ err: error }, 'Could not poll for webhooks to send');
      }
      return asks;
    },
  });
  const timer = setInterval(() => void poll(undefined), POLL_EVERY_MS);

  db.subscribe(EVENTS_WRITTEN, ({ storeKey, lastSequence: last }) => {
    enqueue(storeKey, last);
    if (watchedStores.has(storeKey) && !isStopping) void poll(undefined);
  });

  return {
    /** Finishes the requests under way, starts none, and releases all leases. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      await poll(undefined);
      await Promise.all(running);
    },
    /** Marks cursors ready for events that were written after the stop, so that other processes send them; after the last request. */
    releaseAll: () => poll(undefined),
  };
}
