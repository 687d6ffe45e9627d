// Takes the browser script behind the docs pages out of its npm package: `node scripts/update-docs-reference.js 1.72.1`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/** The script's hint in the field for the key; it looks like a key. */
const HINT_LIKE_A_KEY = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';
const HINT = 'Paste your API key';
const SCRIPT = 'package/dist/browser/standalone.js';

const [, , version] = process.argv;
if (version === undefined) throw new Error('Name the version of @scalar/api-reference, such as 1.72.1');
const folder = mkdtempSync(join(tmpdir(), 'docs-reference-'));
try {
  const pack = ['pack', '--silent', `@scalar/api-reference@${version}`];
  const archive = execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', archive, SCRIPT], { cwd: folder });
  const original = readFileSync(join(folder, SCRIPT), 'utf8');
  if (!original.includes(HINT_LIKE_A_KEY)) throw new Error('The hint for the key is no longer where it was');
  const script = original.replaceAll(HINT_LIKE_A_KEY, HINT);
  const sum = createHash('sha256').update(script).digest('hex');
  const to = new URL('docs-reference/', import.meta.url);
  writeFileSync(new URL('reference.js.gz', to), gzipSync(script, { level: constants.Z_BEST_COMPRESSION }));
  writeFileSync(new URL('reference.json', to), `${JSON.stringify({ version, sha256: sum }, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
