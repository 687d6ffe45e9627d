import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createSlots, type GiveBack } from '../domain/slots.js';
import { watchNewConnections } from './new-connections.js';

export interface Connections {
  /** Begins to answer a request once those before it on its connection are answered; until then nothing more is read. */
  readonly inOrder: (request: IncomingMessage, response: ServerResponse, answer: () => void) => void;
  /** Lets a chunk of a long answer go, merchants in turn; to be given back once others have had their turn. */
  readonly takeForChunk: (owner: string | undefined) => Promise<GiveBack>;
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

export interface ConnectionLimits {
  /** A connection on which nothing happens for so long is closed. */
  readonly stallMs: number;
  /** One read of a connection may bring hundreds of requests: past so many in all, those that send on ahead are cut. */
  readonly mostUnanswered?: number;
  /**
   * As many as there are file descriptors for: each one more would take one that the database or a file needs. Node's own
   * maxConnections lets several processes hand such a connection to one another without end.
   */
  readonly mostOpen?: number;
  readonly onCut?: (mostOpen: number) => void;
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
  { stallMs, mostUnanswered = MOST_UNANSWERED, mostOpen = Infinity, onCut }: ConnectionLimits,
): Connections {
  const open = new Map<Socket, Connection>();
  let unansweredOfAll = 0;
  const countRead = createReadLimit(open);
  const { begin, takeForChunk } = createTurns(server);
  const isUnread = (socket: Socket) => open.get(socket)?.hasAsked === false;
  const newConnections = watchNewConnections(open, isUnread);
  server.on('connection', (socket: Socket) => {
    open.set(socket, { unanswered: [], hasAsked: false, wasAnswered: false });
    newConnections.opened(socket);
    socket.once('close', () => {
      unansweredOfAll -= open.get(socket)?.unanswered.length ?? 0;
      open.delete(socket);
    });
    if (open.size <= mostOpen) return;
    socket.destroy();
    onCut?.(mostOpen);
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
    inOrder(request, response, answer) {
      const { socket } = request;
      const connection = open.get(socket);
      if (connection !== undefined) {
        if (connection.unanswered.length > 0 && !connection.wasAnswered) newConnections.rest();
        connection.hasAsked = true;
      }
      countRead();
      if (connection === undefined || socket.destroyed) return;
      const { unanswered } = connection;
      if (unansweredOfAll >= mostUnanswered && unanswered.length >= FEW_UNANSWERED) {
        socket.destroy();
        return;
      }
      unanswered.push({ response, begin: () => begin(request, answer) });
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
      if (unanswered.length === 1) begin(request, answer);
      else socket.pause();
    },
    takeForChunk,
    underWay,
    isHeld: (socket) => isUnread(socket) && socket.isPaused(),
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
function createReadLimit(open: ReadonlyMap<Socket, Connection>): () => void {
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

/** Of all answers that are made while they are sent: about a millisecond's work. */
const CHUNKS_A_TURN = 2;

/** Node accepts one connection in a turn: while some arrive, turns are kept short, so that those behind them are let in soon. */
const TURNS_A_BEGINNING_WHILE_ACCEPTING = 4;
const TURNS_A_CHUNK_WHILE_ACCEPTING = 8;

function createTurns(server: Server) {
  const isAccepting = watchAccepting(server);
  const beginnings = createSlots({ size: 1 });
  const chunks = createSlots({ size: CHUNKS_A_TURN });
  const begin = ({ headers }: IncomingMessage, answer: () => void): void => {
    if (!isAccepting()) return answer();
    // Whose key it is, and whether it is one, is not known before the request has begun.
    void beginnings.take({ owner: String(headers['x-api-key']) }).then((giveBack) => {
      afterTurns(isAccepting() ? TURNS_A_BEGINNING_WHILE_ACCEPTING : 1, giveBack);
      answer();
    });
  };
  const takeForChunk: Connections['takeForChunk'] = async (owner) => {
    const giveBack = await chunks.take({ owner });
    return () => afterTurns(isAccepting() ? TURNS_A_CHUNK_WHILE_ACCEPTING : 0, giveBack);
  };
  return { begin, takeForChunk };
}

/** Tells whether a connection was accepted in this turn or the one before, so that more are probably waiting. */
function watchAccepting(server: Server): () => boolean {
  let turnsLeft = 0;
  const onTurn = () => {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(onTurn);
  };
  server.on('connection', () => {
    if (turnsLeft === 0) setImmediate(onTurn);
    turnsLeft = 2;
  });
  return () => turnsLeft > 0;
}

function afterTurns(turns: number, giveBack: GiveBack): void {
  if (turns === 0) giveBack();
  else setImmediate(afterTurns, turns - 1, giveBack);
}
