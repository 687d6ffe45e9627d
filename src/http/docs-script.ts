import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface DocsScript {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly tag: string;
}

/** Where the build puts the reference's browser script. */
const PLACE = new URL('../../dist/docs/', import.meta.url);

export async function loadDocsScript(): Promise<DocsScript> {
  const [plain, gzipped] = await Promise.all([
    readFile(new URL('reference.js', PLACE)),
    readFile(new URL('reference.js.gz', PLACE)),
  ]);
  return { plain, gzipped, tag: hash('sha256', plain, 'hex').slice(0, 32) };
}
