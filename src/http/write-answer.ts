import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { httpDate } from './http-date.js';
import type { ReadyAnswer } from './route.js';

/** Writes to a connection what Node's response would write, in one go. */
export function writeAnswer(
  socket: Socket,
  { status, headers, body }: ReadyAnswer,
  keepAliveSeconds: number,
  noteSent: () => void,
): void {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  head += `Date: ${httpDate()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  if (body === undefined) {
    socket.write(head, 'latin1');
    noteSent();
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body, (error) => {
    if (!error) noteSent();
  });
  socket.uncork();
}
