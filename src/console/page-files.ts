import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Coding } from '../domain/answer-body.js';
import { hasTag, negotiateCoding, tagHeaders, unchanged, type Answer } from '../http/answer.js';
import { HttpRefusal } from '../http/errors.js';
import type { Responder, MatchedRequest } from '../http/http-server.js';

/** Where the build puts the page; from the sources and from what is built of them it is the same way. */
const FOLDER = fileURLToPath(new URL('../../dist/console/page/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** A file of the page in all the forms in which it is sent. */
interface PageFile {
  readonly type: string;
  readonly tag: string;
  readonly forms: Readonly<Record<Coding, Buffer>>;
}

type PageFiles = ReadonlyMap<string, PageFile>;

/** The page and what it consists of, from memory. Every address below it leads to the page, which finds its way itself. */
export function pageResponders(): Responder[] {
  let loading: Promise<PageFiles> | undefined;
  const load = () => {
    loading ??= loadFiles();
    return loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  };
  const showPage = async (matched: MatchedRequest) => show(await load(), 'index.html', matched);
  const showNamed = (folder: string) => async (matched: MatchedRequest) =>
    show(await load(), folder + (matched.params['*'] ?? ''), matched);
  const showIcon = async (matched: MatchedRequest) => show(await load(), 'icon.svg', matched);
  return [
    { method: 'GET', path: '/console', respond: showPage },
    { method: 'GET', path: '/console/*', respond: showPage },
    { method: 'GET', path: '/console/assets/*', respond: showNamed('assets/') },
    { method: 'GET', path: '/console/icon.svg', respond: showIcon },
    { method: 'GET', path: '/favicon.ico', respond: showIcon },
    {
      method: 'GET',
      path: '/console/api/*',
      respond: () => {
        throw new HttpRefusal(404, 'Not Found');
      },
    },
  ];
}

/** The build leaves each file beside its compressed forms. */
async function loadFiles(): Promise<PageFiles> {
  const names = await readdir(FOLDER, { recursive: true, withFileTypes: true }).catch(() => {
    throw new HttpRefusal(503, 'The console has not been built: run npm run build');
  });
  const files = new Map<string, PageFile>();
  for (const entry of names) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    const [identity, gzip, br] = await Promise.all([
      readFile(path),
      readFile(`${path}.gz`),
      readFile(`${path}.br`),
    ]);
    const tag = hash('sha256', identity, 'hex').slice(0, 32);
    files.set(relative(FOLDER, path).replaceAll(sep, '/'), { type, tag, forms: { identity, gzip, br } });
  }
  return files;
}

function show(files: PageFiles, name: string, { request: { headers } }: MatchedRequest): Answer {
  const file = files.get(name);
  if (file === undefined) throw new HttpRefusal(404, 'Not Found');
  const coding = negotiateCoding(headers['accept-encoding']);
  const etag = `"${file.tag}-${coding}"`;
  // The names of assets change with what is in them.
  const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const kept = [...tagHeaders(etag, caching), 'vary', 'accept-encoding'];
  if (hasTag(headers['if-none-match'], etag)) return unchanged(kept);
  const safety = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'];
  const policy = ['content-security-policy', POLICY];
  const type = ['content-type', file.type, ...(coding === 'identity' ? [] : ['content-encoding', coding])];
  return {
    status: 200,
    headers: [...type, ...kept, ...safety, ...policy],
    body: file.forms[coding],
  };
}
