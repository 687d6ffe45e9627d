import type { Socket } from 'node:net';

/**
 * When which connection is read. Node hands over all that one read brings at once, be it thousands of requests, so reading
 * itself is what has to be bounded.
 */
export interface Reading {
  readonly opened: (socket: Socket) => void;
  readonly closed: (socket: Socket) => void;
  /** A request has arrived, `isAhead` of the answer to one before it. */
  readonly brought: (socket: Socket, isAhead: boolean) => void;
  readonly answered: (socket: Socket) => void;
  /** Whether we ourselves let it wait, whatever it has sent. */
  readonly isHeld: (socket: Socket) => boolean;
}

/** Past so many requests in a turn of the event loop, nothing more is read until the next. */
const READ_A_TURN = 500;

/** For each request that was sent ahead, about what it takes to read and drop it; in all no longer than newcomers may wait. */
const REST_MS = 0.1;
const LONGEST_REST_MS = 50;

/**
 * Connections that have not been answered yet and send many requests at once are clients that read nothing: whatever is cut
 * of them comes again. While such arrive, connections that have brought nothing yet are read a few at a time, with a rest
 * after all that they sent ahead, so that enough time is left to those that are known.
 *
 * `unanswered` has every open connection, with the requests on it that wait for an answer.
 */
export function createReading(unanswered: ReadonlyMap<Socket, readonly unknown[]>): Reading {
  const answered = new WeakSet<Socket>();
  /** Connections that have brought nothing yet. */
  const unread = new Set<Socket>();
  /** Those of them that are not read for now, by the address that they come from. */
  const held = new Map<string | undefined, Socket[]>();
  let restUntil = 0;
  let isResting = false;
  let rounds = 0;
  let readInTurn = 0;
  let paused: Socket[] = [];

  const onTurn = () => {
    readInTurn = 0;
    for (const socket of paused) if ((unanswered.get(socket)?.length ?? 0) <= 1) socket.resume();
    paused = [];
  };

  const hold = (socket: Socket) => {
    if (!isResting || !unread.has(socket)) return;
    const fromThere = held.get(socket.remoteAddress);
    if (fromThere === undefined) held.set(socket.remoteAddress, [socket]);
    else fromThere.push(socket);
    socket.pause();
  };

  /** One of each address: the one that came first or, so that a newcomer need not wait for all the others, the last. */
  const letIn = () => {
    const restMs = restUntil - performance.now();
    if (restMs > 0) {
      setTimeout(letIn, restMs);
      return;
    }
    rounds += 1;
    for (const [address, sockets] of held) {
      const next = rounds % 2 === 0 ? sockets.shift() : sockets.pop();
      if (sockets.length === 0) held.delete(address);
      if (next !== undefined && unread.has(next)) next.resume();
    }
    isResting = held.size > 0;
    if (isResting) setImmediate(letIn);
  };

  const rest = () => {
    const now = performance.now();
    restUntil = Math.min(Math.max(restUntil, now) + REST_MS, now + LONGEST_REST_MS);
    if (isResting) return;
    isResting = true;
    for (const socket of unread) hold(socket);
    setImmediate(letIn);
  };

  return {
    opened(socket) {
      unread.add(socket);
      // Node itself lets a new connection flow before the end of this turn.
      if (isResting) setImmediate(hold, socket);
    },
    closed: (socket) => void unread.delete(socket),
    brought(socket, isAhead) {
      unread.delete(socket);
      if (isAhead && !answered.has(socket)) rest();
      if (readInTurn === 0) setImmediate(onTurn);
      readInTurn += 1;
      if (readInTurn !== READ_A_TURN) return;
      paused = [...unanswered.keys()].filter((each) => !each.isPaused());
      for (const each of paused) each.pause();
    },
    answered: (socket) => void answered.add(socket),
    isHeld: (socket) => unread.has(socket) && socket.isPaused(),
  };
}
