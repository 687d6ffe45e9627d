import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a client that means no good, or knows no better, does until it is stopped. */
export interface FloodJob {
  readonly port: number;
  /** Whole requests; connections take the next one in turn. */
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  /** So many requests are sent at once on each connection. */
  readonly pipelined?: number;
  /** The address that the connections come from, where it matters. */
  readonly from?: string;
  /** Whether answers are read; where they are not, the connection only fills up. */
  readonly reads?: boolean;
}

export interface Flood {
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('flood-process.js', import.meta.url));

/** A process of its own, so that its work is never counted as that of whoever is measured. */
export async function startFlood(job: FloodJob): Promise<Flood> {
  const child = fork(PROGRAM, { serialization: 'advanced' });
  child.send(job);
  await once(child, 'message');
  return {
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
