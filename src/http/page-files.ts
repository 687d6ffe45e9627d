import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Coding } from './content-coding.js';
import { HttpRefusal } from './errors.js';
import {
  matchesEtag,
  negotiateCoding,
  notModified,
  tagHeaders,
  type RawHeaders,
  type Response,
} from './response.js';
import type { MatchedRequest, Responder } from './router.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A page loads nothing but files of this origin, and no other page may show it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];

export interface PageOptions {
  /** Below dist, where the build puts the files: each beside the compressed forms that it has. */
  readonly folder: string;
  /** For the refusal where it has not been built. */
  readonly name: string;
  /** What the page may load beyond scripts, styles and images of this origin. */
  readonly alsoAllowed?: readonly string[];
  readonly headers?: RawHeaders;
}

export type ShowFile = (name: (matched: MatchedRequest) => string) => Responder['respond'];

/** A file of the page in all the forms in which it is sent. */
interface PageFile {
  readonly type: string;
  readonly tag: string;
  readonly forms: ReadonlyMap<Coding, Buffer>;
}

type PageFiles = ReadonlyMap<string, PageFile>;

/** Sends the files of a page from memory. */
export function createPageFiles({ folder, name, alsoAllowed = [], headers = [] }: PageOptions): ShowFile {
  let loading: Promise<PageFiles> | undefined;
  const load = () =>
    (loading ??= loadFiles(folder, name).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const policy = ['content-security-policy', [...POLICY, ...alsoAllowed].join('; ')];
  return (nameOf) => async (matched) => show(await load(), nameOf(matched), matched, [...policy, ...headers]);
}

/** The preferred coding first. */
const ENDINGS: readonly (readonly [Coding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
];

async function loadFiles(folder: string, page: string): Promise<PageFiles> {
  // From the sources and from what is built of them it is the same way.
  const root = fileURLToPath(new URL(`../../dist/${folder}/`, import.meta.url));
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => {
    throw new HttpRefusal(503, `${page} has not been built. Run npm run build.`);
  });
  const paths = new Set(entries.map(({ parentPath, name }) => `${parentPath}/${name}`));
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const forms = new Map<Coding, Buffer>();
    for (const [coding, ending] of ENDINGS)
      if (paths.has(path + ending)) forms.set(coding, await readFile(path + ending));
    const tag = hash('sha256', forms.get('identity') ?? '', 'hex').slice(0, 32);
    files.set(relative(root, path).replaceAll(sep, '/'), { type, tag, forms });
  }
  return files;
}

function show(
  files: PageFiles,
  name: string,
  { request: { headers } }: MatchedRequest,
  more: RawHeaders,
): Response {
  const file = files.get(name);
  if (file === undefined) throw new HttpRefusal(404, 'Not Found');
  const coding = negotiateCoding(headers['accept-encoding'], [...file.forms.keys()]);
  const etag = `"${file.tag}-${coding}"`;
  // The names of assets change with what is in them.
  const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const kept = [...tagHeaders(etag, caching), 'vary', 'accept-encoding'];
  if (matchesEtag(headers['if-none-match'], etag)) return notModified(kept);
  const safety = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'];
  const type = ['content-type', file.type, ...(coding === 'identity' ? [] : ['content-encoding', coding])];
  return {
    status: 200,
    headers: [...type, ...kept, ...safety, ...more],
    body: file.forms.get(coding) ?? '',
  };
}
