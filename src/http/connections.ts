import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Begins to answer a request once those before it on its connection are answered; until then nothing more is read. */
  readonly inTurn: (request: IncomingMessage, response: ServerResponse, begin: () => void) => void;
  /** The answer that a connection waits for, or that is on its way. */
  readonly underWay: (socket: Socket) => ServerResponse | undefined;
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
}

/** A request that arrived on a connection and whose answer is not out yet. */
interface Unanswered {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

export interface ConnectionLimits {
  /** A connection on which nothing happens for so long is closed. */
  readonly stallMs: number;
  /** One read of a connection may bring hundreds of requests: past so many in all, those that send on ahead are cut. */
  readonly mostUnanswered?: number;
}

/** Each takes about two kilobytes. */
const MOST_UNANSWERED = 20_000;
/** A connection with so few is never cut for the number of all. */
const FEW_UNANSWERED = 16;
/** Past so many requests in a turn of the event loop, nothing more is read until the next. */
const READ_A_TURN = 500;

/**
 * Knows of each connection what it has asked for. Node's own closeIdleConnections does not spare a connection whose answer
 * is still being sent; closing the server calls it, so it is replaced by ours.
 */
export function watchConnections(
  server: Server,
  { stallMs, mostUnanswered = MOST_UNANSWERED }: ConnectionLimits,
): Connections {
  const open = new Map<Socket, Unanswered[]>();
  let unansweredOfAll = 0;
  server.on('connection', (socket: Socket) => {
    open.set(socket, []);
    socket.once('close', () => {
      unansweredOfAll -= open.get(socket)?.length ?? 0;
      open.delete(socket);
    });
  });
  const countRead = limitReading(open);
  const underWay = (socket: Socket) => open.get(socket)?.[0]?.response;
  const isIdle = (socket: Socket) => underWay(socket) === undefined && socket.writableLength === 0;

  // Bytes that nobody takes are no progress; a request that is being worked on may take its time. Node looks twice.
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
      countRead();
      const unanswered = open.get(socket);
      if (unanswered === undefined || socket.destroyed) return;
      if (unansweredOfAll >= mostUnanswered && unanswered.length >= FEW_UNANSWERED) {
        socket.destroy();
        return;
      }
      unanswered.push({ response, begin });
      unansweredOfAll += 1;
      response.once('close', () => {
        if (!open.has(socket)) return;
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
    closeIdle,
    closeAll: () => {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

/**
 * What one read of a connection brings is all handed over at once, be it thousands of requests; but the other connections
 * need not be read in the same turn of the event loop.
 */
function limitReading(open: ReadonlyMap<Socket, readonly Unanswered[]>): () => void {
  let readInTurn = 0;
  let paused: Socket[] = [];
  const onTurn = () => {
    readInTurn = 0;
    for (const socket of paused) if ((open.get(socket)?.length ?? 0) <= 1) socket.resume();
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

/**
 * After a stall of our own, timers run first: a connection is judged only once what has arrived on it meanwhile is read, and
 * what could be sent is.
 */
export function afterReading(judge: () => void): void {
  setImmediate(judge);
}
