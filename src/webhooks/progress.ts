import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '../postgres/database.js';
import {
  recordProgress,
  type Claim,
  type CursorProgress,
  type DeliveryRecord,
  type DueCursor,
} from './claims.sql.js';
import { trimDeliveries } from './deliveries.sql.js';
import { DatabaseUnavailable } from '../support/errors.js';
import type { RetryState } from './retries.js';

/** The events of one store on their way to one endpoint: one request at a time, while the lease holds. */
export interface Delivery {
  readonly due: DueCursor;
  readonly leaseId: string;
  /** The last event that is done with. */
  position: number;
  retryState: RetryState;
  waitMs: number;
  /** Whether all events that there were are done with. */
  isDone: boolean;
  /** False once someone else has the lease, or the endpoint was changed. */
  holdsLease: boolean;
  /** On the clock of this process, and never later than on that of the database. */
  leaseEnds: number;
}

export function openDelivery(due: DueCursor, claim: Claim, leaseEnds: number): Delivery {
  const { leaseId, sequence: position, retryState } = claim;
  return { due, leaseId, position, retryState, waitMs: 0, isDone: false, holdsLease: true, leaseEnds };
}

function progressOf(delivery: Delivery, keepsLease: boolean): CursorProgress {
  const { due, leaseId, position, retryState, waitMs, isDone } = delivery;
  const { attempts, refusals, firstRefusedAt } = retryState;
  return {
    webhookId: due.endpoint.id,
    storeKey: due.storeKey,
    leaseId,
    revision: due.revision,
    sequence: position,
    attempts,
    refusals,
    firstRefusedAt: firstRefusedAt === undefined ? undefined : new Date(firstRefusedAt).toISOString(),
    waitMs,
    keepsLease,
    isIdle: !keepsLease && isDone,
  };
}

/** Writes how far all deliveries have come, in one statement for all of them. */
export interface ProgressWriter {
  /** To be written soon; the delivery need not wait for it, and keeps its lease by it. */
  note(delivery: Delivery, attempt?: DeliveryRecord): void;
  /** Resolves when everything noted so far is written, or its lease is over. */
  settle(delivery: Delivery): Promise<void>;
  /** Resolves when everything noted is written, and releases the lease. */
  release(delivery: Delivery): Promise<void>;
}

const BATCH_MS = 20;
const RETRY_MS = 250;
const TRIM_EVERY = 50;

export function createProgressWriter(db: Queryable, leaseMs: number, log: Logger): ProgressWriter {
  /** Deliveries with something to write, and whether they go on. */
  const noted = new Map<Delivery, boolean>();
  let attempts: DeliveryRecord[] = [];
  let writing: Promise<void> | undefined;
  /** Attempts of each endpoint since its oldest were last removed. */
  const untrimmed = new Map<string, number>();

  async function trim(made: readonly DeliveryRecord[]): Promise<void> {
    for (const { webhookId } of made) untrimmed.set(webhookId, (untrimmed.get(webhookId) ?? 0) + 1);
    for (const [webhookId, count] of untrimmed) {
      if (count < TRIM_EVERY) continue;
      untrimmed.delete(webhookId);
      // The cleanup removes what is left by a trim that failed.
      await trimDeliveries(db, webhookId).catch(() => undefined);
    }
  }

  async function write(): Promise<void> {
    await delay(BATCH_MS);
    const deliveries = new Map(noted);
    const made = attempts;
    noted.clear();
    attempts = [];
    const begun = performance.now();
    try {
      const progress = [...deliveries].map(([delivery, keep]) => progressOf(delivery, keep));
      const held = await recordProgress(db, progress, made, leaseMs);
      for (const delivery of deliveries.keys()) {
        delivery.holdsLease &&= held.has(delivery.leaseId);
        delivery.leaseEnds = begun + leaseMs;
      }
      await trim(made);
    } catch (error) {
      putBack(deliveries, error instanceof DatabaseUnavailable ? made : []);
      if (!(error instanceof DatabaseUnavailable))
        log.error({ err: error }, 'Deliveries could not be recorded');
      await delay(RETRY_MS);
    }
  }

  /** Until their leases are over; from then on others go on from what was written last. */
  function putBack(deliveries: ReadonlyMap<Delivery, boolean>, made: readonly DeliveryRecord[]): void {
    for (const [delivery, keep] of deliveries) {
      if (delivery.leaseEnds < performance.now()) delivery.holdsLease = false;
      else noted.set(delivery, keep && (noted.get(delivery) ?? true));
    }
    if (noted.size > 0) attempts = [...made, ...attempts];
  }

  function scheduleWrite(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
      if (noted.size > 0) void scheduleWrite();
    });
    return writing;
  }

  async function untilWritten(delivery: Delivery): Promise<void> {
    // The current write may have begun before the delivery's last note, which is then still in `noted`.
    do await scheduleWrite();
    while (noted.has(delivery));
  }

  return {
    note(delivery, attempt) {
      if (attempt !== undefined) attempts.push(attempt);
      noted.set(delivery, true);
      void scheduleWrite();
    },
    settle(delivery) {
      noted.set(delivery, true);
      return untilWritten(delivery);
    },
    release(delivery) {
      noted.set(delivery, false);
      return untilWritten(delivery);
    },
  };
}
