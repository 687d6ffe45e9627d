// Builds what runs: the client library, the service, the script behind the docs pages, and the pages for staff and guests.
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import ts from 'typescript';
import { buildPages } from './build-pages.js';
import { isStale } from './stale.js';

/** Written when everything is built. A build that finds no newer source does nothing. */
const STAMP = 'dist/.built';
const SMALLEST_SCRIPT = 1_000_000;
/** The reference's hint in the field for the key; it looks like a key. */
const HINT_LIKE_A_KEY = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';
const HINT = 'Paste your API key';

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

/**
 * The reference's browser script, out of a package that holds it as one long text in its own code. Nothing of that package
 * is ever run, nor needed once this is built.
 */
async function takeDocsScript() {
  const main = import.meta.resolve('@scalar/fastify-api-reference');
  const original = longestText(await readFile(new URL(main), 'utf8'));
  if (original.length < SMALLEST_SCRIPT || !original.includes(HINT_LIKE_A_KEY))
    throw new Error('The docs package no longer holds its script, or the hint for the key, where it did');
  const script = original.replaceAll(HINT_LIKE_A_KEY, HINT);
  const to = at('dist/docs');
  await mkdir(to, { recursive: true });
  await writeFile(`${to}/reference.js`, script);
  await writeFile(
    `${to}/reference.js.gz`,
    await promisify(gzip)(script, { level: constants.Z_BEST_COMPRESSION }),
  );
  await copyFile(new URL('../LICENSE', main), `${to}/reference.LICENSE`);
}

function longestText(code) {
  let longest = '';
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) && node.text.length > longest.length) longest = node.text;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('package.js', code, ts.ScriptTarget.Latest));
  return longest;
}

if (isStale(STAMP)) {
  await Promise.all([buildCommonJsClient(), buildService(), takeDocsScript(), buildPages()]);
  await writeFile(at(STAMP), '');
}
