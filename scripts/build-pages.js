// The pages for browsers, into dist/<name>/page: each file beside its compressed forms, and no larger than agreed.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What a browser must have of the console before it shows anything, compressed. */
const MOST_FIRST_SCRIPT_BYTES = 80_000;
/** All files of the guests' page, compressed, in every language. */
const MOST_GUEST_BYTES = 45_000;

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export async function buildPages() {
  // Also where a test builds: pages of another mode are larger.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const staff = await buildPage(build, 'console');
  const first = staff.firstScripts.reduce((sum, file) => sum + gzipBytes(file), 0);
  holdDown('The first screen of the console takes', first, MOST_FIRST_SCRIPT_BYTES);
  const guest = await buildPage(build, 'guest');
  const all = guest.files.reduce((sum, file) => sum + gzipBytes(file), 0);
  holdDown('The page for guests takes', all, MOST_GUEST_BYTES);
}

async function buildPage(build, name) {
  const page = at(`../dist/${name}/page`);
  const { output } = await build({ configFile: at(`../${name}/vite.config.ts`), logLevel: 'warn' });
  const files = filesOf(page).filter((path) => /\.(?:js|css|html|svg)$/.test(path));
  for (const path of files) {
    const bytes = readFileSync(path);
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: size }));
  }
  return { files, firstScripts: firstScripts(output).map((script) => join(page, script)) };
}

/** The scripts that the page cannot do without, which are not those that it loads later. */
function firstScripts(output) {
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
  return [...first];
}

function gzipBytes(path) {
  return statSync(`${path}.gz`).size;
}

function holdDown(what, bytes, most) {
  if (bytes > 0 && bytes <= most) return;
  console.error(`${what} ${bytes} bytes, compressed; at most ${most} are allowed.`);
  process.exit(1);
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
