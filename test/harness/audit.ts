import { expect } from 'vitest';
import { ask } from './client.js';
import type { Service } from './service.js';

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly via: string;
  readonly subject: string;
  readonly [more: string]: unknown;
}

/** The entries that an operator reads, newest first. */
export async function readAudit(
  { url, operatorKey: key }: Pick<Service, 'url' | 'operatorKey'>,
  query: Record<string, string>,
): Promise<readonly AuditEntry[]> {
  const path = `${url}/manage/v1/audit?${new URLSearchParams(query).toString()}`;
  return (await ask<{ entries: AuditEntry[] }>(path, { key })).body.entries;
}

/** What an entry says by the clock is about no key and no request. */
export const byClock = (entry: object) => ({
  id: expect.any(String) as string,
  at: expect.any(String) as string,
  via: 'clock',
  ...entry,
});
