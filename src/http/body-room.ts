import { ClientDisconnected } from '../support/errors.js';

/** A part of the room for bodies; what a request has of it is given back once the request is done. */
export interface BodyShare {
  /** Counts bytes that have arrived; a promise where no more may be read until it resolves. */
  readonly count: (bytes: number) => Promise<void> | undefined;
  /** Calls back if the body arrives too slowly while others wait. */
  readonly watchPace: (onTooSlow: () => void) => void;
  /** The body is here, or not wanted any more. */
  readonly endReading: () => void;
  readonly release: () => void;
}

export interface BodyRoom {
  /** Room for the first bytes of a body. Throws ClientDisconnected when the wait for it is given up. */
  enter(owner: string, signal: () => AbortSignal): Promise<BodyShare>;
}

export interface BodyRoomSizes {
  /** Bytes of all bodies together, and of those of one merchant. */
  readonly size: number;
  readonly perOwner: number;
  /** The largest size of one body. */
  readonly largest: number;
}

/** Room is taken in steps of this many bytes, the first one before anything is read. */
const STEP_BYTES = 64 * 1024;
/** A body that brings less is refused while others wait for room; about the slowest mobile network. */
const MIN_BYTES_A_SECOND = 16 * 1024;
const PACE_WINDOW_MS = 2_000;
const LOOK_EVERY_MS = 250;

interface Owner {
  held: number;
  /** In order of arrival. */
  readonly bodies: Set<Body>;
}

interface Body {
  readonly owner: Owner;
  held: number;
  received: number;
  /** The room that it waits for, if any. */
  wanted: { readonly bytes: number; readonly begin: () => void } | undefined;
  onTooSlow: (() => void) | undefined;
  /** Bytes received since its speed was last checked, and when that was. */
  recent: number;
  judgedAt: number;
}

/**
 * Bodies count by what has arrived of them, not by what may come: one that is sent slowly takes room from nobody. A body
 * that finds no room is not read on until there is some; the merchant with the least comes first. The oldest body of all
 * and the oldest of each merchant never wait for the others, which may be waiting for them.
 */
export function createBodyRoom({ size, perOwner, largest }: BodyRoomSizes): BodyRoom {
  const step = Math.min(STEP_BYTES, largest);
  const owners = new Map<string, Owner>();
  const bodies = new Set<Body>();
  const waiting = new Set<Body>();
  let held = 0;
  let looking: NodeJS.Timeout | undefined;

  const fitsAll = (body: Body, bytes: number) => held + bytes <= size || body === firstOf(bodies);
  const mayTake = (body: Body, bytes: number) =>
    fitsAll(body, bytes) && (body.owner.held + bytes <= perOwner || body === firstOf(body.owner.bodies));

  const take = (body: Body, bytes: number) => {
    body.held += bytes;
    body.owner.held += bytes;
    held += bytes;
  };

  const takeOrWait = (body: Body, bytes: number): Promise<void> | undefined => {
    if (mayTake(body, bytes)) {
      take(body, bytes);
      return undefined;
    }
    return new Promise((resolve) => {
      body.wanted = { bytes, begin: resolve };
      waiting.add(body);
      looking ??= setInterval(() => setImmediate(refuseSlow), LOOK_EVERY_MS).unref();
    });
  };

  const stopWaiting = (body: Body) => {
    body.wanted = undefined;
    waiting.delete(body);
    if (waiting.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };

  const serveWaiting = () => {
    if (waiting.size === 0) return;
    for (const body of [...waiting].sort((a, b) => a.owner.held - b.owner.held)) {
      const { wanted } = body;
      if (wanted === undefined || !mayTake(body, wanted.bytes)) continue;
      stopWaiting(body);
      take(body, wanted.bytes);
      startPace(body);
      wanted.begin();
    }
  };

  /** A merchant that waits for itself alone ends none of the bodies of others. */
  const refuseSlow = () => {
    const waits = [...waiting];
    const isFull = waits.some((body) => !fitsAll(body, body.wanted?.bytes ?? 0));
    const crowded = new Set(waits.map(({ owner }) => owner));
    const now = performance.now();
    for (const body of bodies) {
      const { onTooSlow, owner, recent, judgedAt } = body;
      if (onTooSlow === undefined || body.wanted !== undefined) continue;
      const ms = now - judgedAt;
      if (ms < PACE_WINDOW_MS || !(isFull || crowded.has(owner))) continue;
      startPace(body);
      if (recent < (ms / 1000) * MIN_BYTES_A_SECOND) onTooSlow();
    }
  };

  const shareOf = (name: string, body: Body): BodyShare => ({
    count: (bytes) => {
      body.received += bytes;
      body.recent += bytes;
      const missing = body.received - body.held;
      return missing <= 0
        ? undefined
        : takeOrWait(body, Math.min(Math.ceil(missing / step) * step, largest - body.held));
    },
    watchPace: (onTooSlow) => {
      body.onTooSlow = onTooSlow;
      startPace(body);
    },
    endReading: () => (body.onTooSlow = undefined),
    release: () => {
      if (!bodies.delete(body)) return;
      stopWaiting(body);
      body.onTooSlow = undefined;
      body.owner.bodies.delete(body);
      if (body.owner.bodies.size === 0) owners.delete(name);
      take(body, -body.held);
      serveWaiting();
    },
  });

  return {
    async enter(name, signal) {
      const owner = owners.get(name) ?? { held: 0, bodies: new Set<Body>() };
      owners.set(name, owner);
      const body: Body = {
        owner,
        held: 0,
        received: 0,
        wanted: undefined,
        onTooSlow: undefined,
        recent: 0,
        judgedAt: 0,
      };
      bodies.add(body);
      owner.bodies.add(body);
      const share = shareOf(name, body);
      const room = takeOrWait(body, step);
      if (room !== undefined) await untilAborted(room, signal()).catch(releaseAndThrow(share));
      return share;
    },
  };
}

function startPace(body: Body): void {
  body.recent = 0;
  body.judgedAt = performance.now();
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  const [first] = set;
  return first;
}

function releaseAndThrow(share: BodyShare) {
  return (error: unknown) => {
    share.release();
    throw error;
  };
}

function untilAborted(room: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new ClientDisconnected());
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void room.then(resolve);
  });
}
