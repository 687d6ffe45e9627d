import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ReadyAnswer } from './route.js';

/** Writes to a connection what Node's response would write, in one go. */
export function writeAnswer(
  socket: Socket,
  { status, headers, body }: ReadyAnswer,
  { date, keepAliveMs }: { readonly date: string; readonly keepAliveMs: number },
  noteSent: () => void,
): void {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  const seconds = Math.floor(keepAliveMs / 1000);
  head += `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
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
