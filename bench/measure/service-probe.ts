// Loaded into the service with --import. On SIGUSR2 it writes the longest stall of the event loop since the last time,
// in milliseconds.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env['BENCH_STALL_FILE'] ?? '/dev/null', String(delays.max / 1e6));
    delays.reset();
  });
}
