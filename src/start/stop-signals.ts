import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** SIGHUP comes from a closed terminal. PostgreSQL does not receive it and must not keep running alone. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Aborts when the process is told to stop. A second signal has no effect; use SIGKILL to force it. The process goes on where
 * nobody reads its output any more.
 */
export function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop.abort());
  // After its terminal or the reader of a pipe is gone, every write fails. Stopping PostgreSQL matters more than output.
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => undefined);
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    // Node restores the settings of its terminal as it exits, and crashes if the terminal is gone but still open here.
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
  return stop.signal;
}
