import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BOUNDS } from '../support/bounds.js';

/** In characters; longer ones are 414. */
export const MAX_URL_LENGTH = 8 * 1024;

/** Time for a client to read a refusal and close its side: closing at once may lose the refusal. */
const LINGER_MS = 5_000;

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

/** Tells whether any request so far has come through a proxy. */
export function watchForProxy(server: Server): () => boolean {
  let hasSeenProxy = false;
  const look = ({ headers }: IncomingMessage) => {
    hasSeenProxy = PROXY_HEADERS.some((name) => headers[name] !== undefined);
    if (hasSeenProxy) server.off('request', look);
  };
  server.on('request', look);
  return () => hasSeenProxy;
}

export function limitConnections(server: Server, most: number, onCut: (most: number) => void): void {
  server.maxConnections = most;
  server.on('drop', () => onCut(most));
}

/**
 * Answers one request at a time on each connection, refuses what is not a request, and closes a connection without progress for
 * `stallMs`.
 */
export function watchConnections(server: Server, stallMs: number) {
  /** Requests that are not answered yet, by connection; the first one is in progress. */
  const open = new Map<Socket, { readonly response: ServerResponse; readonly start: () => void }[]>();
  const inProgress = (socket: Socket) => open.get(socket)?.[0]?.response;
  const isIdle = (socket: Socket) => inProgress(socket) === undefined && socket.writableLength === 0;

  server.on('connection', (socket: Socket) => {
    open.set(socket, []);
    socket.once('close', () => open.delete(socket));
  });

  // A request may take its time; bytes that the client does not take are no progress. Node calls this after one to two
  // times as long. After a long turn of the event loop, timers run before sockets are read, so it judges only after that.
  server.setTimeout(stallMs, (socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (isIdle(socket) && socket.bytesRead === bytesRead) socket.destroy();
      // A plain close would leave the unread bytes, and the connection, with the operating system.
      else if (socket.writableLength > 0) socket.resetAndDestroy();
    });
  });

  /** Earlier requests on the connection are answered first; one that has not arrived in full is the one refused. */
  const refuse = (socket: Socket, refusal: Refusal): void => {
    const current = inProgress(socket);
    if (current?.req.complete === true) current.once('close', () => refuse(socket, refusal));
    else writeRefusal(socket, refusal);
  };
  server.on('clientError', (error, duplex) => {
    const socket = duplex as Socket;
    if (('code' in error && error.code === 'ECONNRESET') || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refusalOf(error);
    if (refusal.status !== 408) return refuse(socket, refusal);
    const { bytesWritten } = socket;
    setImmediate(() => {
      const hasAsked = inProgress(socket) !== undefined || socket.bytesWritten > bytesWritten;
      if (!hasAsked) refuse(socket, refusal);
    });
  });
  server.on('connect', (_request, socket) =>
    refuse(socket as Socket, { status: 405, detail: 'Method Not Allowed', headers: ['allow:'] }),
  );
  server.on('checkExpectation', ({ socket }: IncomingMessage) =>
    refuse(socket, { status: 417, detail: 'Expectation Failed' }),
  );

  const closeIdle = () => {
    for (const socket of open.keys()) if (isIdle(socket)) socket.destroy();
  };
  // Closing the server calls this; Node's own also closes connections whose response is still being sent.
  server.closeIdleConnections = closeIdle;

  return {
    /** Starts a request once those before it on its connection are answered; until then nothing more is read from it. */
    inOrder(request: IncomingMessage, response: ServerResponse, start: () => void): void {
      const { socket } = request;
      const queue = open.get(socket);
      if (queue === undefined || socket.destroyed) return;
      if (queue.length > BOUNDS.queuedPerConnection) {
        socket.destroy();
        return;
      }
      queue.push({ response, start });
      response.once('close', () => {
        queue.shift();
        if (socket.destroyed) return;
        queue[0]?.start();
        if (queue.length <= 1) socket.resume();
      });
      if (queue.length === 1) start();
      else socket.pause();
    },
    closeIdle,
    closeAll: () => {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly headers?: readonly string[];
}

/** What Node's parser refuses before there is a request: too long, too slow, or not HTTP. */
function refusalOf(error: Error & { code?: string; rawPacket?: unknown }): Refusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isInRequestLine(error.rawPacket)
        ? { status: 414, detail: 'URI Too Long' }
        : { status: 431, detail: 'Request Header Fields Too Large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'Request Timeout' };
    default:
      return { status: 400, detail: 'Bad Request' };
  }
}

/** Whether the first line alone is too long: a request's first packet begins with its method. */
function isInRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 10))) return false;
  const end = packet.indexOf('\r\n');
  return end < 0 || end > MAX_URL_LENGTH;
}

/** There is no response object to use: the body and headers of every other error, then the end of the connection. */
function writeRefusal(socket: Socket, { status, detail, headers = [] }: Refusal): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ detail });
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(linger));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `date: ${new Date().toUTCString()}`,
      'content-type: application/json',
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}
