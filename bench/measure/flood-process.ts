// Sends one request after the other on every connection, ignores what comes back, and reconnects when it is closed.
import { connect } from 'node:net';
import { serveJobs } from '../servers/programs.js';
import type { LoadJob } from './load.js';

const RESPONSE = Buffer.from('HTTP/1.1 ');
const RECONNECT_MS = 50;

serveJobs((job: LoadJob) => {
  for (let i = 0; i < job.connections; i += 1) open(job, i);
});

function open(job: LoadJob, first: number): void {
  let next = first;
  const socket = connect({ host: '127.0.0.1', port: job.port, noDelay: true });
  const send = () => {
    socket.write(job.requests[next % job.requests.length] as Uint8Array);
    next += 1;
  };
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    if (chunk.includes(RESPONSE)) send();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(() => open(job, next), RECONNECT_MS));
}
