import type { IncomingHttpHeaders } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import type { Tenant } from '../data/tenant.js';
import { startLimit } from '../servers/limit-server.js';
import type { ChildServer } from '../servers/child-server.js';
import type { Service } from '../servers/service.js';
import { readRaw } from '../measure/read-raw.js';
import { requestBytes } from '../measure/request.js';

export type Form = 'identity' | 'gzip' | 'br' | 'not modified';

/** A read of a menu and a bare server that sends the very bytes the service answered with. */
export interface MenuRead {
  readonly request: Buffer;
  readonly status: number;
  readonly bytes: number;
  readonly limit: ChildServer;
}

export function treePath(storeId: string): string {
  return `/v1/stores/${storeId}/menu_configuration/`;
}

/** Reads the tree once in the given form and starts the reference for it. */
export async function prepareRead(
  bench: Bench,
  service: Service,
  { key }: Tenant,
  storeId: string,
  form: Form,
): Promise<MenuRead> {
  const path = treePath(storeId);
  const coding = form === 'not modified' ? 'gzip' : form;
  const plain = { 'x-api-key': key, 'accept-encoding': coding };
  const first = await readRaw(service.port, path, plain);
  const headers = form === 'not modified' ? { ...plain, 'if-none-match': first.headers.etag ?? '' } : plain;
  const answer = await readRaw(service.port, path, headers);
  const sent = answer.headers['content-encoding'] ?? 'identity';
  if (answer.status === 200 && sent !== form) throw new Error(`Asked for ${form}, answered in ${sent}`);

  const file = join(bench.folder, `${storeId}-${form.replace(' ', '-')}`);
  if (answer.status === 200) await writeFile(file, answer.body);
  const limit = await startLimit('bare-http', {
    status: answer.status,
    headers: sameHeaders(answer.headers),
    ...(answer.status === 200 ? { file } : {}),
  });
  return {
    request: requestBytes({ path, headers }),
    status: answer.status,
    bytes: answer.body.length,
    limit,
  };
}

const SENT_ALIKE = ['content-type', 'content-encoding', 'etag', 'vary', 'cache-control'];

function sameHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = SENT_ALIKE.map((name) => [name, headers[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}
