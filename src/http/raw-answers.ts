import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** In characters; longer ones are 414. */
export const LONGEST_URL = 8 * 1024;

type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Answers what Node's parser refuses before there is a request: too long, too slow, or not HTTP. */
export function answerParserError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = refusalOf(error);
  writeRawAnswer(socket, status, detail);
}

function refusalOf(error: ParserError): [number, string] {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isInRequestLine(error.rawPacket)
        ? [414, 'URI Too Long']
        : [431, 'Request Header Fields Too Large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'Request Timeout'];
    default:
      return [400, 'Bad Request'];
  }
}

/** Whether the first line alone is too long: a request's first packet begins with its method. */
function isInRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 10))) return false;
  const end = packet.indexOf('\r\n');
  return end < 0 || end > LONGEST_URL;
}

/** For when the framework cannot answer any more: the same body and headers as everywhere, then the end. */
export function writeRawAnswer(
  socket: Socket,
  status: number,
  detail: string,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}
