// The console's page, into dist/console/page: each file beside its compressed forms, and no larger than agreed.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What a browser must have before it shows anything, compressed. */
const MOST_FIRST_SCRIPT_BYTES = 80_000;

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const page = at('../dist/console/page');
const sources = ['console', 'sdk/src', 'src/domain', 'package-lock.json'].map((path) => at(`../${path}`));

/** Nothing is done where the page is newer than everything it is made of. */
export async function buildConsole() {
  if (newest(sources) < builtAt()) return;
  const { build } = await import('vite');
  const { output } = await build({ configFile: at('../console/vite.config.ts'), logLevel: 'warn' });
  for (const path of filesOf(page).filter((name) => /\.(?:js|css|html|svg)$/.test(name))) {
    const bytes = readFileSync(path);
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: size }));
  }
  holdSizeDown(output);
}

function holdSizeDown(output) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const first = new Set();
  const add = (name) => {
    if (first.has(name)) return;
    first.add(name);
    chunks.get(name)?.imports.forEach(add);
  };
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) add(fileName);
  const bytes = [...first].reduce((sum, name) => sum + statSync(join(page, `${name}.gz`)).size, 0);
  if (bytes > 0 && bytes <= MOST_FIRST_SCRIPT_BYTES) return;
  console.error(
    `The first screen of the console takes ${bytes} bytes of script; at most ${MOST_FIRST_SCRIPT_BYTES} are allowed.`,
  );
  process.exit(1);
}

function newest(paths) {
  const files = paths.flatMap((path) => (extname(path) === '' ? filesOf(path) : [path]));
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

function builtAt() {
  return statSync(join(page, 'index.html.br'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
