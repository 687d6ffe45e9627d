import type { ServerResponse } from 'node:http';
import { createFairSemaphore, type FairSemaphore, type Release } from '../support/fair-semaphore.js';
import { BOUNDS } from '../support/bounds.js';
import { ClientDisconnected } from '../support/errors.js';
import type { Principal } from '../access/principal.js';

export type RequestPermits = ReturnType<typeof createRequestPermits>;

/** What concurrent requests may use, in total and per merchant. */
export function createRequestPermits() {
  return {
    /** Large menus that are being read or worked on. */
    menuBodies: createFairSemaphore(BOUNDS.menuBodies),
    /** All other large bodies: no order waits for a menu. */
    jsonBodies: createFairSemaphore(BOUNDS.jsonBodies),
    /** Requests that are being worked on or whose response is not sent yet. */
    underWay: createFairSemaphore(BOUNDS.requests),
    /** The same for menus, whose bodies take long: the other requests of their merchant do not wait for them. */
    menusUnderWay: createFairSemaphore(BOUNDS.requests),
    largeResponses: createFairSemaphore(BOUNDS.largeResponses),
    /** Apart from those, because a client may take hours over an export. */
    streamedResponses: createFairSemaphore(BOUNDS.streamedResponses),
  };
}

export type BodyRoom = ReturnType<typeof openBodyRoom>;

/** Room for the body of one request. A small body needs none, so one that has only begun takes nothing from others. */
export function openBodyRoom(bodies: FairSemaphore, owner: string, signal: () => AbortSignal) {
  let ended: AbortController | undefined;
  let permit: Promise<Release> | undefined;
  return {
    /** Waits until the body may become large. Throws ClientDisconnected when the wait is given up. */
    enlarge: async (): Promise<void> => {
      ended = new AbortController();
      permit = bodies.acquire({ owner, signal: AbortSignal.any([signal(), ended.signal]) });
      await permit;
    },
    /** Whether others wait for what this body takes. */
    isWanted: () => bodies.isWanted(owner),
    /** Once the request is done with its body. */
    release: (): void => {
      ended?.abort(DISCONNECTED);
      permit?.then(
        (release) => release(),
        () => undefined,
      );
    },
  };
}

const MAX_WAIT_MS = 20_000;

/**
 * The permit is held until the response is sent or its client disconnects: a merchant that reads slowly waits for itself, and
 * the number of responses that nobody reads is bounded.
 */
export async function takePermit(
  permits: FairSemaphore,
  principal: Principal,
  response: ServerResponse,
): Promise<void> {
  const owner = ownerOf(principal);
  const release =
    permits.tryAcquire({ owner }) ??
    (await permits.acquire({ owner, waitMs: MAX_WAIT_MS, signal: closedSignal(response) }));
  if (response.closed) release();
  else response.once('close', release);
}

/** Who the limits per owner apply to. */
export function ownerOf(principal: Principal): string {
  return principal.kind === 'merchant' ? principal.merchantId : principal.id;
}

/** Shared: an error of its own for each request would cost a stack trace each time. */
const DISCONNECTED = new ClientDisconnected();

/** Aborts when the response is sent or its client disconnects. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort(DISCONNECTED);
  else response.once('close', () => controller.abort(DISCONNECTED));
  return controller.signal;
}
