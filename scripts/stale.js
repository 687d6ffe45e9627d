import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** What a build is made from. A folder's own time changes when a file in it comes or goes. */
const SOURCES = [
  'src',
  'sdk/src',
  'console',
  'guest',
  ...['', '.ar', '.de', '.es', '.fr', '.pt'].map((language) => `docs/staff${language}.md`),
  'scripts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether any source is newer than the file, or the file is not there. */
export function isStale(file) {
  const builtAt = statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.some((path) => newest(join(root, path)) >= builtAt);
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
