/** A terminal that is closed says SIGHUP: PostgreSQL, which does not hear of it, must not go on alone. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Aborts when the process is told to end. A second signal changes nothing: whoever is in a hurry has SIGKILL. */
export function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop.abort());
  return stop.signal;
}
