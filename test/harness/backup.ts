import { createHash } from 'node:crypto';
import { ask, type Answer } from './client.js';
import type { Service } from './service.js';

export interface RestoreBody {
  readonly rows: Readonly<Record<string, number>>;
  readonly detail?: readonly { readonly loc: readonly unknown[]; readonly msg: string }[] | string;
}

/** The archive of a service, which must answer 200. */
export async function backup(service: Service): Promise<string> {
  const { status, body } = await ask(`${service.url}/manage/v1/backup`, { key: service.operatorKey });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as string;
}

export function restore(
  service: Service,
  archive: string | Uint8Array,
  headers: Record<string, string> = {},
  key = service.operatorKey,
): Promise<Answer<RestoreBody>> {
  return ask(`${service.url}/manage/v1/restore`, {
    method: 'POST',
    key,
    body: archive,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}

/** An archive with other lines and a closing line that holds for them. */
export function rewrite(archive: string, change: (lines: string[]) => string[]): string {
  const lines = archive.trimEnd().split('\n');
  const end = JSON.parse(lines.pop() ?? '') as { end: { rows: Record<string, number>; sha256: string } };
  const changed = change(lines);
  const text = changed.map((line) => `${line}\n`).join('');
  const rows: Record<string, number> = {};
  let table = '';
  for (const line of changed.slice(1)) {
    const opened = /^\{"table":"(\w+)"/.exec(line)?.[1];
    if (opened === undefined) rows[table] = (rows[table] ?? 0) + 1;
    else rows[(table = opened)] = 0;
  }
  end.end = { rows, sha256: createHash('sha256').update(text).digest('hex') };
  return `${text}${JSON.stringify(end)}\n`;
}
