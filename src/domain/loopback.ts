import { isIPv4, isIPv6 } from 'node:net';

/** Whether an address or bind host is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) && /^::ffff:127\./i.test(host);
}
