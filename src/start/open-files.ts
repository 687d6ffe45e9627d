import { readFileSync } from 'node:fs';
import { StartRefused } from '../domain/errors.js';

/** For threads, which open a hundred modules each as they start, for the database beside its pool, webhooks and files. */
const BESIDE_CONNECTIONS = 300;
const LEAST = 512;

/** How many clients may be connected so that descriptors are left for all else; any number where the system tells no limit. */
export function connectionsWithin(poolSize: number): number {
  const most = mostOpenFiles();
  return Math.max(most - poolSize - BESIDE_CONNECTIONS, Math.floor(most / 4));
}

export function requireOpenFiles(): void {
  const most = mostOpenFiles();
  if (most >= LEAST) return;
  throw new StartRefused(
    `The service may have ${most} files open at once, connections among them, and needs ${LEAST} at least: ` +
      'raise the limit (ulimit -n, or LimitNOFILE of a systemd unit), then start again.',
  );
}

/** Only Linux tells it; elsewhere Node itself raises it as far as it may. */
function mostOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
