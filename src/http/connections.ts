import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createReading } from './reading.js';

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
const MOST_UNANSWERED = 50_000;
/** A connection with so few is never cut for the number of all. */
const FEW_UNANSWERED = 16;

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
  const reading = createReading(open);
  server.on('connection', (socket: Socket) => {
    open.set(socket, []);
    reading.opened(socket);
    socket.once('close', () => {
      reading.closed(socket);
      unansweredOfAll -= open.get(socket)?.length ?? 0;
      open.delete(socket);
    });
  });
  const underWay = (socket: Socket) => open.get(socket)?.[0]?.response;
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
      const unanswered = open.get(socket);
      reading.brought(socket, unanswered !== undefined && unanswered.length > 0);
      if (unanswered === undefined || socket.destroyed) return;
      if (unansweredOfAll >= mostUnanswered && unanswered.length >= FEW_UNANSWERED) {
        socket.destroy();
        return;
      }
      unanswered.push({ response, begin });
      unansweredOfAll += 1;
      response.once('close', () => {
        if (!open.has(socket)) return;
        reading.answered(socket);
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
    isHeld: reading.isHeld,
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
