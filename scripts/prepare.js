// What npm runs after an install: a build, where there is a compiler and need of one.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isThere = (path) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));
const isBuilt = isThere('dist/server.js') && isThere('sdk/dist/esm/index.js');

if (isThere('node_modules/typescript')) {
  // `npx comanda` installs nothing new: what is built stays.
  if (process.env.npm_command !== 'exec' || !isBuilt) await import('./build.js');
} else if (!isBuilt) {
  console.error(
    'Comanda is installed but not built, since building needs the development packages: ' +
      'run `npm ci --include=dev`, or put a built `dist` and `sdk/dist` here.',
  );
}
