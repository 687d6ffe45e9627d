// Builds what runs: the client library, the service, the script behind the docs pages, and the pages for staff and guests.
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildPages } from './build-pages.js';
import { isStale } from './stale.js';

/** Written when everything is built. A build that finds no newer source does nothing. */
const STAMP = 'dist/.built';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function compile(project) {
  const tsc = [at('node_modules/typescript/bin/tsc'), '-p', at(project)];
  await promisify(execFile)(process.execPath, tsc).catch(({ stdout, stderr }) => {
    process.stderr.write(stdout + stderr);
    process.exit(1);
  });
}

/** For those who `require` it; the package says that .js is an ES module, which this folder's are not. */
async function buildCommonJsClient() {
  await compile('sdk/tsconfig.cjs.json');
  await writeFile(at('sdk/dist/cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** The service's types come from the client library's; the demo's data files lie beside its code. */
async function buildService() {
  await compile('sdk/tsconfig.json');
  await compile('tsconfig.build.json');
  await cp(at('src/demo'), at('dist/demo'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

/** The browser script behind the docs pages, kept packed (scripts/update-docs-page.js); refused if it is not what was taken. */
async function unpackDocsScript() {
  const from = at('scripts/docs-page');
  const to = at('dist/docs');
  const packed = await readFile(`${from}/reference.js.gz`);
  const script = await promisify(gunzip)(packed);
  const { sha256 } = JSON.parse(await readFile(`${from}/origin.json`, 'utf8'));
  if (hash('sha256', script) !== sha256)
    throw new Error('scripts/docs-page/reference.js.gz has been changed');
  await mkdir(to, { recursive: true });
  await writeFile(`${to}/reference.js`, script);
  await writeFile(`${to}/reference.js.gz`, packed);
  await copyFile(`${from}/LICENSE`, `${to}/reference.LICENSE`);
}

if (isStale(STAMP)) {
  await Promise.all([buildCommonJsClient(), buildService(), unpackDocsScript(), buildPages()]);
  await writeFile(at(STAMP), '');
}
