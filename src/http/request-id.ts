import { randomUUID } from 'node:crypto';

const CALLERS_OWN = /^[\w.:-]{1,128}$/;

/** The caller's own id where it has sent a usable one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && CALLERS_OWN.test(given) ? given : randomUUID();
}
