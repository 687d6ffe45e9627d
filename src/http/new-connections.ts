import type { Socket } from 'node:net';

/** New connections, and those of them that are not read for now. */
export interface NewConnections {
  readonly opened: (socket: Socket) => void;
  /** For a request that was sent ahead of the answer to one before it, on a connection that has had no answer yet. */
  readonly rest: () => void;
}

/** For each request that was sent ahead, about what it takes to read and drop it; in all no longer than a new connection may wait. */
const REST_MS = 0.1;
const LONGEST_REST_MS = 50;

/**
 * Connections that have not been answered yet and send many requests at once are clients that read nothing: whatever is cut
 * of them comes again. While such arrive, connections that have brought nothing yet are read a few at a time, with a rest
 * after all that they sent ahead, so that enough time is left to those that are known.
 */
export function watchNewConnections(
  open: { readonly keys: () => Iterable<Socket> },
  isUnread: (socket: Socket) => boolean,
): NewConnections {
  /** Those that are not read for now, by the address that they come from. */
  const held = new Map<string | undefined, Socket[]>();
  let restUntil = 0;
  let isResting = false;
  let rounds = 0;

  const hold = (socket: Socket) => {
    if (!isResting || !isUnread(socket)) return;
    const fromThere = held.get(socket.remoteAddress);
    if (fromThere === undefined) held.set(socket.remoteAddress, [socket]);
    else fromThere.push(socket);
    socket.pause();
  };

  /** One of each address: the one that came first or, so that a new one need not wait for all the others, the last. */
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
      if (next !== undefined && isUnread(next)) next.resume();
    }
    isResting = held.size > 0;
    if (isResting) setImmediate(letIn);
  };

  return {
    opened(socket) {
      // Node itself lets a new connection flow before the end of this turn.
      if (isResting) setImmediate(hold, socket);
    },
    rest() {
      const now = performance.now();
      restUntil = Math.min(Math.max(restUntil, now) + REST_MS, now + LONGEST_REST_MS);
      if (isResting) return;
      isResting = true;
      for (const socket of open.keys()) hold(socket);
      setImmediate(letIn);
    },
  };
}
