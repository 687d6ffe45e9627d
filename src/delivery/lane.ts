import type { Claim, DueCursor } from '../db/webhooks/claim-cursors.js';
import type { CursorProgress } from '../db/webhooks/record-progress.js';
import { NO_TROUBLE, type Trouble } from '../domain/webhook/retries.js';

/** The events of one store on their way to one endpoint: one request at a time, while the lease holds. */
export interface Lane {
  readonly due: DueCursor;
  readonly leaseId: string;
  /** The last event that is done with. */
  position: number;
  trouble: Trouble;
  waitMs: number;
  /** Whether all events that there were are done with. */
  isDone: boolean;
  /** False once someone else has the lease, or the endpoint was changed. */
  holdsLease: boolean;
  /** On the clock of this process, and never later than on that of the database. */
  leaseEnds: number;
}

export function openLane(due: DueCursor, claim: Claim, leaseEnds: number): Lane {
  const { leaseId, sequence, trouble } = claim;
  return { due, leaseId, position: sequence, trouble, waitMs: 0, isDone: false, holdsLease: true, leaseEnds };
}

/** The event is done with, taken or not: on to the next. */
export function passEvent(lane: Lane, sequence: number): void {
  lane.position = sequence;
  lane.trouble = NO_TROUBLE;
}

export function progressOf(lane: Lane, keepsLease: boolean): CursorProgress {
  const { due, leaseId, position, trouble, waitMs, isDone } = lane;
  const { firstRefusedAt } = trouble;
  return {
    webhookId: due.endpoint.id,
    storeKey: due.storeKey,
    leaseId,
    revision: due.revision,
    sequence: position,
    attempts: trouble.attempts,
    refusals: trouble.refusals,
    firstRefusedAt: firstRefusedAt === undefined ? undefined : new Date(firstRefusedAt).toISOString(),
    waitMs,
    keepsLease,
    rests: !keepsLease && isDone,
  };
}
