import { connect, type Socket } from 'node:net';
import { serveJobs } from '../servers/programs.js';
import type { LoadJob, LoadResult } from './load.js';

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 256 * 1024;

serveJobs(async (job: LoadJob): Promise<LoadResult> => {
  const { requests, expectStatus = 200, most = Infinity } = job;
  const latencies: number[] = [];
  let sent = 0;
  let busy = job.connections;
  let begun = Infinity;
  const sockets: Socket[] = [];
  await new Promise<void>((resolve, reject) => {
    const open = async () => {
      let sentAt = 0;
      const sendNext = (): void => {
        sentAt = performance.now();
        if (sentAt >= begun + job.durationMs || sent >= most) {
          busy -= 1;
          if (busy === 0) resolve();
          return;
        }
        socket.write(requests[sent % requests.length] as Uint8Array);
        sent += 1;
      };
      const socket = await openConnection(job.port, reject, (status) => {
        latencies.push(performance.now() - sentAt);
        if (status === expectStatus) sendNext();
        else reject(new Error(`status ${status} instead of ${expectStatus}`));
      });
      sockets.push(socket);
      return sendNext;
    };
    Promise.all(Array.from({ length: job.connections }, open)).then((senders) => {
      begun = performance.now();
      for (const sendNext of senders) sendNext();
    }, reject);
  }).finally(() => {
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  });
  const seconds = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { responses: latencies.length, seconds, latency: { median: share(0.5), p99: share(0.99) } };
});

/** Reads just enough of HTTP/1.1 to find the end of a response: status and Content-Length, nothing chunked. */
function openConnection(
  port: number,
  fail: (error: Error) => void,
  onResponse: (status: number) => void,
): Promise<Socket> {
  let head: Buffer = Buffer.alloc(0);
  let status = 0;
  /** Bytes of the body still to come; undefined while the head is read. */
  let missing: number | undefined;
  const take = (chunk: Buffer): void => {
    if (missing === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) {
        head = Buffer.from(head);
        return;
      }
      const text = head.toString('latin1', 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      // A 304 has no body, whatever its length says.
      const length = status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/.exec(text)?.[1]);
      if (Number.isNaN(length)) return fail(new Error(`a ${status} response without Content-Length`));
      missing = length - (head.length - end - HEAD_END.length);
      head = Buffer.alloc(0);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    missing = undefined;
    onResponse(status);
  };
  return new Promise((resolve) => {
    const callback = (length: number, buffer: Uint8Array) => {
      take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    };
    const onread = { buffer: Buffer.alloc(READ_BYTES), callback };
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    socket.once('connect', () => resolve(socket));
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed a connection')));
  });
}
