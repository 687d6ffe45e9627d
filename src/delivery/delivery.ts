import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/database.js';
import { readKeptRanges } from '../db/events.js';
import { claimCursors, findDue, type DueCursor } from '../db/webhooks/claim-cursors.js';
import { findMissedWakes, readWatchedStores, wakeCursors } from '../db/webhooks/wake-cursors.js';
import { createOrderIds } from '../domain/order/id.js';
import type { SecretBox, SecretKeeper } from '../domain/webhook/secret-box.js';
import { openLane, type Lane } from './lane.js';
import { createDeliveryMetrics } from './metrics.js';
import { createProgressWriter } from './progress-writer.js';
import { createLaneLimits } from './lane-limits.js';
import { runLane } from './run-lane.js';
import type { Sender } from './http-sender.js';

export interface DeliveryOptions {
  readonly db: Database;
  readonly sender: Sender;
  readonly secrets: SecretKeeper;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly userAgent: string;
}

export interface Delivery {
  /** Ends what is under way, begins nothing more, and gives all leases back. */
  stop(): Promise<void>;
  /** Wakes the cursors for events that were written after the stop, so that other processes send them; after the last request. */
  handOver(): Promise<void>;
}

export const DELIVERY_CONNECTIONS = 2;
const STATEMENT_MS = 10_000;
/** A process that is killed holds up its endpoints for so long. */
const LEASE_MS = 20_000;
const LOOK_EVERY_MS = 500;
/** A process may be killed before it has looked for what it wrote: the others find such events when they survey all stores. */
const LOOKS_BETWEEN_SURVEYS = LEASE_MS / LOOK_EVERY_MS;
/** However often it is woken, it looks no more often than this. */
const LEAST_GAP_MS = 25;

/**
 * Sends the events of stores to the endpoints of their merchants. Each endpoint has a cursor in each of its stores, and
 * a lease on it; processes share the work by taking leases, and a transaction never spans a request to a receiver.
 */
export function startDelivery(options: DeliveryOptions): Delivery {
  const { sender, secrets, log, userAgent } = options;
  const db = options.db.sidePool({
    poolSize: DELIVERY_CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
    workload: 'bulk',
  });
  const progress = createProgressWriter(db, LEASE_MS, log);
  const metrics = createDeliveryMetrics(options.metrics, db);
  const newDeliveryId = createOrderIds();
  const limits = createLaneLimits();
  const running = new Set<Promise<void>>();
  /** The last events of stores, by store key, that this process has written since it looked. */
  const newEvents = new Map<number, number>();
  /** Stores whose lease this process has given back since it looked: others may have written there meanwhile. */
  const releasedStores = new Set<number>();
  let watchedStores: ReadonlySet<number> = new Set();
  let hasWarned = false;
  let isStopping = false;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;
  let isLookWanted = false;
  let nextLook: NodeJS.Timeout | undefined;

  function start(due: DueCursor, lane: Lane, box: SecretBox): void {
    limits.countBegun(due);
    const run = runLane(lane, {
      db,
      sender,
      userAgent,
      box,
      progress,
      metrics,
      log,
      newDeliveryId,
      isStopping: () => isStopping,
    }).finally(() => {
      limits.countEnded(due);
      running.delete(run);
      releasedStores.add(due.storeKey);
      lookSoon();
    });
    running.add(run);
  }

  /** Claims the cursors with something to send, as far as there is room, and wakes the others for whoever has room. */
  async function look(): Promise<void> {
    const [lastSequences, stores] = [new Map(newEvents), [...releasedStores]];
    newEvents.clear();
    releasedStores.clear();
    try {
      for (const [storeKey, { last }] of await readKeptRanges(db, stores)) lastSequences.set(storeKey, last);
      const box = await secrets.present();
      if (box !== undefined) await claimAll(box, lastSequences);
      await wakeCursors(db, lastSequences);
    } catch (error) {
      for (const [storeKey, last] of lastSequences) noteEvents(storeKey, last);
      for (const storeKey of stores) releasedStores.add(storeKey);
      throw error;
    }
  }

  function noteEvents(storeKey: number, last: number): void {
    newEvents.set(storeKey, Math.max(last, newEvents.get(storeKey) ?? 0));
  }

  /** Claims as long as there is something to claim and room for it. */
  async function claimAll(box: SecretBox, lastSequences: ReadonlyMap<number, number>): Promise<void> {
    while (!isStopping && limits.hasRoom()) {
      const filter = { sealedWith: box.id, lastSequences, ...limits.dueFilter() };
      const due = limits.choose(await findDue(db, filter));
      if (due.length === 0) return;
      const leaseEnds = performance.now() + LEASE_MS;
      const claims = await claimCursors(db, due, LEASE_MS);
      const taken = due.filter((one, at) => {
        const claim = claims[at];
        if (claim !== undefined) start(one, openLane(one, claim, leaseEnds), box);
        return claim !== undefined;
      });
      if (taken.length === 0) return;
    }
  }

  /** Learns which stores have endpoints, and where events were written that nobody has woken a cursor for. */
  async function survey(): Promise<void> {
    const box = await secrets.present();
    const { storeKeys, unreadable } = await readWatchedStores(db, box?.id);
    watchedStores = storeKeys;
    for (const [storeKey, last] of await findMissedWakes(db)) noteEvents(storeKey, last);
    if (unreadable > 0 && !hasWarned)
      log.warn(
        `${unreadable} webhooks have secrets that this process cannot open, and it sends nothing to them. Give it the ` +
          'COMANDA_SECRET_KEY that they were made with, or rotate their secrets.',
      );
    hasWarned = unreadable > 0;
  }

  function run(work: () => Promise<void>): void {
    if (isStopping || looking !== undefined) {
      isLookWanted = true;
      return;
    }
    isLookWanted = false;
    lookedAt = performance.now();
    looking = work()
      // What cannot be asked now is asked half a second later.
      .catch((error: unknown) => log.debug({ err: error }, 'Webhooks could not be looked after'))
      .finally(() => {
        looking = undefined;
        if (isLookWanted) lookSoon();
      });
  }

  function lookSoon(): void {
    if (isStopping || nextLook !== undefined) return;
    const wait = Math.max(0, lookedAt + LEAST_GAP_MS - performance.now());
    nextLook = setTimeout(() => {
      nextLook = undefined;
      run(look);
    }, wait);
  }

  let looks = 0;
  const timer = setInterval(() => {
    run(
      looks % LOOKS_BETWEEN_SURVEYS === 0
        ? async () => {
            await survey();
            await look();
          }
        : look,
    );
    looks += 1;
  }, LOOK_EVERY_MS);

  db.onEvents((storeKey, last) => {
    noteEvents(storeKey, last);
    if (watchedStores.has(storeKey)) lookSoon();
  });

  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      clearTimeout(nextLook);
      await looking;
      await Promise.all(running);
    },
    handOver: () => look().catch(() => undefined),
  };
}
