import { setTimeout as delay } from 'node:timers/promises';

/** Does one piece of background work, then pauses for as long as it took: it never takes more than half of what others need. */
export async function paced<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  await delay(performance.now() - begun, undefined, { ref: false });
  return result;
}
