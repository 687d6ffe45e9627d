import type { ServerResponse } from 'node:http';
import { createFairSemaphore, type FairSemaphore, type Tenant } from '../support/fair-semaphore.js';
import { BOUNDS } from '../support/bounds.js';
import { ClientDisconnected } from '../support/errors.js';
import type { Principal } from '../access/principal.js';
import type { Limits } from '../support/limits.js';
import { createBodyRoom, type BodyRoom } from './body-room.js';
import type { Chunks } from './response.js';

/** What concurrent requests may use, in total and per merchant. */
export interface RequestPermits {
  /** Menus that are being read or worked on. */
  readonly menuBodies: BodyRoom;
  /** All other bodies: no order waits for a menu. */
  readonly jsonBodies: BodyRoom;
  /** Requests that are being worked on or whose answer is not sent yet. */
  readonly underWay: FairSemaphore;
  readonly largeAnswers: FairSemaphore;
}

export function createRequestPermits({ menuBytes, jsonBytes }: Limits): RequestPermits {
  return {
    menuBodies: createBodyRoom(inBytes(BOUNDS.menuBodies, menuBytes)),
    jsonBodies: createBodyRoom(inBytes(BOUNDS.jsonBodies, jsonBytes)),
    underWay: createFairSemaphore(BOUNDS.requests),
    largeAnswers: createFairSemaphore(BOUNDS.largeResponses),
  };
}

function inBytes(bodies: { readonly size: number; readonly perOwner: number }, largest: number) {
  return { size: bodies.size * largest, perOwner: bodies.perOwner * largest, largest };
}

const MAX_WAIT_MS = 20_000;

/**
 * The slot is held until the answer is sent or its client disconnects: a merchant that reads slowly waits for itself, and
 * the number of answers that nobody reads is bounded.
 */
export async function takeSlot(
  slots: FairSemaphore,
  principal: Principal,
  response: ServerResponse,
): Promise<void> {
  const owner = ownerOf(principal);
  const release =
    slots.tryAcquire({ owner }) ??
    (await slots.acquire({ owner, waitMs: MAX_WAIT_MS, signal: closedSignal(response) }));
  if (response.closed) release();
  else response.once('close', release);
}

/** Who the limits per owner apply to. */
export function ownerOf(principal: Principal): string {
  return principal.kind === 'merchant' ? principal.merchantId : principal.id;
}

/** Shared: an error of its own for each request would cost a stack trace each time. */
const DISCONNECTED = new ClientDisconnected();

/** Aborts when the answer is sent or its client disconnects. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort(DISCONNECTED);
  else response.once('close', () => controller.abort(DISCONNECTED));
  return controller.signal;
}

/** Starts an answer that is made while it is sent once there is a slot for it. */
export type StreamWithSlot = (tenant: Tenant, chunks: AsyncIterable<string>) => Chunks;

const MAX_STREAM_WAIT_MS = 5_000;

export function createStreamPermits(): StreamWithSlot {
  const slots = createFairSemaphore(BOUNDS.streamedResponses);
  return async function* ({ merchantId, storeKey }, chunks) {
    const wanted = { owner: merchantId, store: storeKey, waitMs: MAX_STREAM_WAIT_MS };
    const release = await slots.acquire(wanted);
    try {
      yield* chunks;
    } finally {
      release();
    }
  };
}
