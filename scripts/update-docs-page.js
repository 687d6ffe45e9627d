// Takes another version of the browser script behind the docs pages: node scripts/update-docs-page.js VERSION
// The package itself is not a dependency: it would bring thirty others that nothing here runs.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

/** The reference's hint in the field for the key; it looks like a key. */
const HINT_LIKE_A_KEY = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';
const HINT = 'Paste your API key';

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Name a version of @scalar/api-reference');
const folder = mkdtempSync(join(tmpdir(), 'docs-page-'));
try {
  const pack = ['pack', `@scalar/api-reference@${version}`, '--silent'];
  const archive = execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', archive, 'package/dist/browser/standalone.js'], { cwd: folder });
  const original = readFileSync(join(folder, 'package/dist/browser/standalone.js'), 'utf8');
  if (!original.includes(HINT_LIKE_A_KEY)) throw new Error('The hint for the key is no longer where it was');
  const script = original.replaceAll(HINT_LIKE_A_KEY, HINT);
  const to = fileURLToPath(new URL('docs-page/', import.meta.url));
  writeFileSync(`${to}reference.js.gz`, gzipSync(script, { level: constants.Z_BEST_COMPRESSION }));
  const origin = { package: '@scalar/api-reference', version, sha256: hash('sha256', script) };
  writeFileSync(`${to}origin.json`, `${JSON.stringify(origin, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
