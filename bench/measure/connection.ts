import { connect, type Socket } from 'node:net';

/** One keep-alive connection that sends a request, waits for the whole answer, and only then may send the next. */
export interface Connection {
  send(request: Uint8Array): void;
  close(): void;
}

export interface Listener {
  answered(status: number, bytes: number): void;
  failed(reason: string): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 256 * 1024;

/** Reads just enough of HTTP/1.1 to know where an answer ends: status and Content-Length; no pipelining, no chunks. */
export function openConnection(port: number, listener: Listener): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    let status = 0;
    let missing = -1;
    let received = 0;

    const take = (length: number, buffer: Buffer): boolean => {
      received += length;
      if (missing < 0) {
        const found = readHead(length, buffer);
        if (found === undefined) return true;
        missing = found;
      } else {
        missing -= length;
      }
      if (missing === 0) {
        const bytes = received;
        missing = -1;
        received = 0;
        listener.answered(status, bytes);
      }
      return true;
    };

    const readHead = (length: number, buffer: Buffer): number | undefined => {
      const chunk = buffer.subarray(0, length);
      const all = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = all.indexOf(HEAD_END);
      if (end < 0) {
        head = Buffer.from(all);
        return undefined;
      }
      head = Buffer.alloc(0);
      const text = all.toString('latin1', 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      return bodyLength(text, status) - (all.length - end - HEAD_END.length);
    };

    const socket: Socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(READ_BYTES),
        callback: (length, buffer) => take(length, Buffer.from(buffer.buffer, buffer.byteOffset, length)),
      },
    });
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', ({ message }) => listener.failed(message));
      socket.on('close', () => listener.failed('The server closed a connection'));
      resolve({
        send: (request) => socket.write(request),
        close: () => socket.removeAllListeners('close').destroy(),
      });
    });
    socket.once('error', reject);
  });
}

function bodyLength(head: string, status: number): number {
  if (status === 304 || status === 204) return 0;
  const at = head.indexOf('\r\ncontent-length:');
  if (at < 0) throw new Error(`An answer without Content-Length: ${head}`);
  return Number.parseInt(head.slice(at + 17), 10);
}
