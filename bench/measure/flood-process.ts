// Sends without regard to what is answered; a connection that is closed is opened again.
import { connect } from 'node:net';
import type { FloodJob } from './flood.js';

const ANSWER = Buffer.from('HTTP/1.1 ');
const AGAIN_MS = 50;

process.on('message', (job: FloodJob) => {
  for (let at = 0; at < job.connections; at += 1) open(job, at);
  process.send?.('begun');
});
process.on('disconnect', () => process.exit(0));

function open(job: FloodJob, first: number): void {
  const { port, requests, pipelined = 1, from, reads = true } = job;
  let next = first;
  let unanswered = 0;
  const socket = connect({ host: '127.0.0.1', port, localAddress: from, noDelay: true });
  const fill = () => {
    for (; unanswered < pipelined; unanswered += 1) {
      socket.write(requests[next % requests.length] as Uint8Array);
      next += 1;
    }
  };
  socket.on('connect', fill);
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(() => open(job, next), AGAIN_MS));
  if (!reads) return;
  socket.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(ANSWER); at >= 0; at = chunk.indexOf(ANSWER, at + ANSWER.length))
      unanswered -= 1;
    unanswered = Math.max(0, unanswered);
    fill();
  });
}
