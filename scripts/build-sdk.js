// Builds the client library twice: as ES modules and, for those who `require` it, as CommonJS.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const tsc = at('../node_modules/typescript/bin/tsc');

for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [tsc, '-p', at(`../sdk/${project}`)], { stdio: 'inherit' });
}
mkdirSync(at('../sdk/dist/cjs'), { recursive: true });
// The package says that .js is an ES module; this folder's are not.
writeFileSync(at('../sdk/dist/cjs/package.json'), '{ "type": "commonjs" }\n');
