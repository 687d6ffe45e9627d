// The load generator: a process of its own, so that its work is never counted as the server's.
import { openConnection, type Connection } from './connection.js';
import type { LoadJob, LoadReply, LoadResult } from './load-job.js';

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => reply({ ok: true, result }),
    (error: unknown) => reply({ ok: false, reason: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

function reply(message: LoadReply): void {
  process.send?.(message);
}

async function run(job: LoadJob): Promise<LoadResult> {
  const latencies: number[] = [];
  let bytes = 0;
  let next = 0;
  let open = job.connections;
  let finish: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const finished = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  let deadline = Infinity;
  const most = job.most ?? Infinity;
  const connections: Connection[] = [];
  const sentAt: number[] = [];

  const sendNext = (place: number): void => {
    const now = performance.now();
    if (now >= deadline || next >= most) {
      open -= 1;
      if (open === 0) finish?.();
      return;
    }
    sentAt[place] = now;
    connections[place]?.send(job.requests[next % job.requests.length] as Uint8Array);
    next += 1;
  };

  const opened = Array.from({ length: job.connections }, (_, place) =>
    openConnection(job.port, {
      answered: (status, size) => {
        latencies.push(performance.now() - (sentAt[place] ?? 0));
        bytes += size;
        if (status === job.expectStatus) sendNext(place);
        else fail?.(new Error(`Answered ${status}, not ${job.expectStatus}`));
      },
      failed: (reason) => fail?.(new Error(reason)),
    }),
  );
  connections.push(...(await Promise.all(opened)));
  const begun = performance.now();
  deadline = begun + job.durationMs;
  connections.forEach((_, place) => sendNext(place));
  try {
    await finished;
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { answers: latencies.length, seconds, bytes, latency: summarise(latencies) };
}

function summarise(latencies: readonly number[]): LoadResult['latency'] {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p99: at(0.99), max: at(1) };
}
