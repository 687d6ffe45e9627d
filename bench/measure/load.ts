import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadReply, LoadResult } from './load-job.js';

export interface Load {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

const PROGRAM = fileURLToPath(new URL('load-process.js', import.meta.url));

/** Starts the load process; it runs one job at a time. */
export function startLoad(): Load {
  const child = fork(PROGRAM, { serialization: 'advanced' });
  return {
    async run(job) {
      child.send(job);
      const [reply] = (await once(child, 'message')) as [LoadReply];
      if (!reply.ok) throw new Error(`Load on port ${job.port}: ${reply.reason}`);
      return reply.result;
    },
    stop: () => child.disconnect(),
  };
}
