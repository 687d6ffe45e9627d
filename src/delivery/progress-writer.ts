import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '../db/database.js';
import { recordProgress, type DeliveryRecord } from '../db/webhooks/record-progress.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { progressOf, type Lane } from './lane.js';

/** Writes how far all lanes have come, in one statement for all of them. */
export interface ProgressWriter {
  /** To be written soon; the lane need not wait for it, and keeps its lease by it. */
  note(lane: Lane, attempt?: DeliveryRecord): void;
  /** Resolves when everything noted so far is written, or its lease is over. */
  settle(lane: Lane): Promise<void>;
  /** The same, and the lease is given back. */
  release(lane: Lane): Promise<void>;
}

const GATHER_MS = 20;
const TRY_AGAIN_MS = 250;

export function createProgressWriter(db: Queryable, leaseMs: number, log: Logger): ProgressWriter {
  /** Lanes with something to write, and whether they go on. */
  const noted = new Map<Lane, boolean>();
  let attempts: DeliveryRecord[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    await delay(GATHER_MS);
    const lanes = new Map(noted);
    const made = attempts;
    noted.clear();
    attempts = [];
    const begun = performance.now();
    try {
      const progress = [...lanes].map(([lane, keep]) => progressOf(lane, keep));
      const held = await recordProgress(db, progress, made, leaseMs);
      for (const lane of lanes.keys()) {
        lane.holdsLease &&= held.has(lane.leaseId);
        lane.leaseEnds = begun + leaseMs;
      }
    } catch (error) {
      putBack(lanes, error instanceof DatabaseUnavailable ? made : []);
      if (!(error instanceof DatabaseUnavailable))
        log.error({ err: error }, 'Deliveries could not be recorded');
      await delay(TRY_AGAIN_MS);
    }
  }

  /** Until their leases are over; from then on others go on from what was written last. */
  function putBack(lanes: ReadonlyMap<Lane, boolean>, made: readonly DeliveryRecord[]): void {
    for (const [lane, keep] of lanes) {
      if (lane.leaseEnds < performance.now()) lane.holdsLease = false;
      else noted.set(lane, keep && (noted.get(lane) ?? true));
    }
    if (noted.size > 0) attempts = [...made, ...attempts];
  }

  function writeSoon(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
      if (noted.size > 0) void writeSoon();
    });
    return writing;
  }

  async function untilWritten(lane: Lane): Promise<void> {
    // The write under way may have begun before the lane's last note, which is then still in `noted`.
    do await writeSoon();
    while (noted.has(lane));
  }

  return {
    note(lane, attempt) {
      if (attempt !== undefined) attempts.push(attempt);
      noted.set(lane, true);
      void writeSoon();
    },
    settle(lane) {
      noted.set(lane, true);
      return untilWritten(lane);
    },
    release(lane) {
      noted.set(lane, false);
      return untilWritten(lane);
    },
  };
}
