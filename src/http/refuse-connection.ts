import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Busy } from '../domain/errors.js';
import { afterReading, type Connections } from './connections.js';

type Known = Pick<Connections, 'underWay' | 'isHeld'>;

/** In characters; longer ones are 414. */
export const LONGEST_URL = 8 * 1024;

/** For a client to read the answer and close its side; a connection that is cut sooner may lose the answer with it. */
const LINGER_MS = 5_000;

type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Answers what Node's parser refuses before there is a request: too long, too slow, or not HTTP. */
export function answerParserError(connections: Known, error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = connections.isHeld(socket) ? BUSY : refusalOf(error);
  const refuse = () => refuseConnection(connections, socket, refusal);
  if (refusal.status !== 408) return refuse();
  const { bytesWritten } = socket;
  afterReading(() => {
    const hasAsked = connections.underWay(socket) !== undefined || socket.bytesWritten > bytesWritten;
    if (!hasAsked) refuse();
  });
}

const BUSY = { status: 503, detail: new Busy().message, headers: ['retry-after: 1'] };

function refusalOf(error: ParserError): ConnectionRefusal {
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
  return end < 0 || end > LONGEST_URL;
}

export interface ConnectionRefusal {
  readonly status: number;
  readonly detail: string;
  readonly headers?: readonly string[];
}

/**
 * For when there is no request to answer: the same body and headers as everywhere, then the end. Earlier requests on the
 * connection are answered first.
 */
export function refuseConnection(connections: Known, socket: Socket, refusal: ConnectionRefusal): void {
  const current = connections.underWay(socket);
  // A request that has not arrived as a whole is itself the one that is refused.
  if (current?.req.complete === true)
    current.once('close', () => refuseConnection(connections, socket, refusal));
  else write(socket, refusal);
}

function write(socket: Socket, { status, detail, headers = [] }: ConnectionRefusal): void {
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
