import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createBatch } from '../postgres/batch.js';
import type { Queryable } from '../postgres/database.js';
import { recordProgress, type Delivery, type DeliveryRecord } from './claims.sql.js';
import { DatabaseUnavailable } from '../support/errors.js';

/**
 * Writes how far a delivery has come, with an attempt that it made, and keeps or releases its lease. Resolves when it is
 * written, or the lease is over: from then on others go on from what was written last.
 */
export type WriteProgress = (
  delivery: Delivery,
  keepsLease: boolean,
  attempt?: DeliveryRecord,
) => Promise<void>;

interface Note {
  readonly delivery: Delivery;
  readonly keepsLease: boolean;
  readonly attempt: DeliveryRecord | undefined;
}

const GATHER_MS = 20;
const RETRY_MS = 250;

/** All deliveries share a statement. */
export function createProgressWriter(db: Queryable, leaseMs: number, log: Logger): WriteProgress {
  const writeNote = createBatch<Note, undefined>({
    everyMs: GATHER_MS,
    run: async (notes) => {
      const keeps = new Map<Delivery, boolean>();
      for (const { delivery, keepsLease } of notes)
        keeps.set(delivery, keepsLease && (keeps.get(delivery) ?? true));
      const made = notes.flatMap(({ attempt }) => attempt ?? []);
      const begun = performance.now();
      const held = await recordProgress(db, keeps, made, leaseMs).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable))
          log.error({ err: error }, 'Deliveries could not be recorded');
        throw error;
      });
      for (const delivery of keeps.keys()) {
        delivery.holdsLease &&= held.has(delivery.leaseId);
        delivery.leaseEnds = begun + leaseMs;
      }
      return notes.map(() => undefined);
    },
  });

  return async (delivery, keepsLease, attempt) => {
    for (let note: Note = { delivery, keepsLease, attempt }; ;) {
      try {
        await writeNote(note);
        return;
      } catch (error) {
        // An attempt that cannot be written must not keep the position from being written.
        if (!(error instanceof DatabaseUnavailable)) note = { ...note, attempt: undefined };
        if (delivery.leaseEnds < performance.now()) {
          delivery.holdsLease = false;
          return;
        }
        await delay(RETRY_MS);
      }
    }
  };
}
