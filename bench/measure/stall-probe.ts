// Loaded into the service by `--import`: watches its event loop from inside and writes what it saw when asked to.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on('SIGUSR2', () => {
    const { max, mean } = delays;
    const p99 = delays.percentile(99);
    writeFileSync(process.env['BENCH_STALL_FILE'] ?? '/dev/null', JSON.stringify({ max, mean, p99 }));
    delays.reset();
  });
}
