import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Begins to answer a request once those before it on its connection are answered; until then nothing more is read. */
  readonly inTurn: (request: IncomingMessage, response: ServerResponse, begin: () => void) => void;
  /** The answer that a connection waits for, or that is on its way. */
  readonly underWay: (socket: Socket) => ServerResponse | undefined;
  /** Whether a connection is not read yet because others are before it. */
  readonly isHeld: (socket: Socket) => boolean;
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

interface Connection {
  /** The requests that arrived on it and whose answers are not out yet. */
  readonly unanswered: { readonly response: ServerResponse; readonly begin: () => void }[];
  hasAsked: boolean;
  wasAnswered: boolean;
}

type OpenConnections = ReadonlyMap<Socket, Connection>;

export interface ConnectionLimits {
  /** A connection on which nothing happens for so long is closed. */
  readonly stallMs: number;
  /** One read of a connection may bring hundreds of requests: past so many in all, those that send on ahead are cut. */
  readonly mostUnanswered?: number;
}

/** Each takes about two kilobytes. */
const MOST_UNANSWERED = 50_000;
/** A connection with so few is never cut for the number of all. */
const FEW_UNANSWERED = 16;

/**
 * Knows of each connection what it has asked for, and when it is read. Node's own closeIdleConnections does not spare a
 * connection whose answer is still being sent; closing the server calls it, so it is replaced by ours.
 */
export function watchConnections(
  server: Server,
  { stallMs, mostUnanswered = MOST_UNANSWERED }: ConnectionLimits,
): Connections {
  const open = new Map<Socket, Connection>();
  let unansweredOfAll = 0;
  const countRead = createReadLimit(open);
  const newcomers = createNewcomers(open);
  server.on('connection', (socket: Socket) => {
    open.set(socket, { unanswered: [], hasAsked: false, wasAnswered: false });
    newcomers.opened(socket);
    socket.once('close', () => {
      unansweredOfAll -= open.get(socket)?.unanswered.length ?? 0;
      open.delete(socket);
    });
  });
  const underWay = (socket: Socket) => open.get(socket)?.unanswered[0]?.response;
  const isIdle = (socket: Socket) => underWay(socket) === undefined && socket.writableLength === 0;

  // Bytes that nobody takes are no progress; a request that is being worked on may take its time. Node
  // calls this after one to two times as long.
  server.setTimeout(stallMs, (socket) => {
    const { bytesRead } = socket;
    afterReading(() => {
      const isSilent = isIdle(socket) && socket.bytesRead === bytesRead;
      if (isSilent) socket.destroy();
      // The system would keep what nobody takes, and the connection with it, long after.
      else if (socket.writableLength > 0) socket.resetAndDestroy();
    });
  });

  const closeIdle = () => {
    for (const socket of open.keys()) if (isIdle(socket)) socket.destroy();
  };
  server.closeIdleConnections = closeIdle;

  return {
    inTurn({ socket }, response, begin) {
      const connection = open.get(socket);
      if (connection !== undefined) {
        if (connection.unanswered.length > 0 && !connection.wasAnswered) newcomers.rest();
        connection.hasAsked = true;
      }
      countRead();
      if (connection === undefined || socket.destroyed) return;
      const { unanswered } = connection;
      if (unansweredOfAll >= mostUnanswered && unanswered.length >= FEW_UNANSWERED) {
        socket.destroy();
        return;
      }
      unanswered.push({ response, begin });
      unansweredOfAll += 1;
      response.once('close', () => {
        if (!open.has(socket)) return;
        connection.wasAnswered = true;
        unanswered.shift();
        unansweredOfAll -= 1;
        if (!socket.destroyed) {
          unanswered[0]?.begin();
          if (unanswered.length <= 1) socket.resume();
        }
      });
      if (unanswered.length === 1) begin();
      else socket.pause();
    },
    underWay,
    isHeld: (socket) => isUnread(open, socket) && socket.isPaused(),
    closeIdle,
    closeAll: () => {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/**
 * After a stall of our own, timers run first: a connection is judged only once what has arrived on it meanwhile is read, and
 * what could be sent is.
 */
export function afterReading(judge: () => void): void {
  setImmediate(judge);
}

/** Past so many requests in a turn of the event loop, nothing more is read until the next. */
const READ_A_TURN = 500;

/**
 * To be called for each request that arrives. Node hands over all that one read brings at once, be it hundreds of requests,
 * so reading itself is what has to be bounded.
 */
function createReadLimit(open: OpenConnections): () => void {
  let readInTurn = 0;
  let paused: Socket[] = [];
  const onTurn = () => {
    readInTurn = 0;
    for (const socket of paused) if ((open.get(socket)?.unanswered.length ?? 0) <= 1) socket.resume();
    paused = [];
  };
  return () => {
    if (readInTurn === 0) setImmediate(onTurn);
    readInTurn += 1;
    if (readInTurn !== READ_A_TURN) return;
    paused = [...open.keys()].filter((socket) => !socket.isPaused());
    for (const socket of paused) socket.pause();
  };
}

/** For each request that was sent ahead, about what it takes to read and drop it; in all no longer than newcomers may wait. */
const REST_MS = 0.1;
const LONGEST_REST_MS = 50;

/**
 * Connections that have not been answered yet and send many requests at once are clients that read nothing: whatever is cut
 * of them comes again. While such arrive, connections that have brought nothing yet are read a few at a time, with a rest
 * after all that they sent ahead, so that enough time is left to those that are known.
 */
function createNewcomers(open: OpenConnections) {
  /** Those that are not read for now, by the address that they come from. */
  const held = new Map<string | undefined, Socket[]>();
  let restUntil = 0;
  let isResting = false;
  let rounds = 0;

  const hold = (socket: Socket) => {
    if (!isResting || !isUnread(open, socket)) return;
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
      if (next !== undefined && isUnread(open, next)) next.resume();
    }
    isResting = held.size > 0;
    if (isResting) setImmediate(letIn);
  };

  return {
    opened(socket: Socket) {
      // Node itself lets a new connection flow before the end of this turn.
      if (isResting) setImmediate(hold, socket);
    },
    /** For a request that was sent ahead of the answer to one before it. */
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

/** Whether it is open and has brought nothing yet. */
function isUnread(open: OpenConnections, socket: Socket): boolean {
  return open.get(socket)?.hasAsked === false;
}
