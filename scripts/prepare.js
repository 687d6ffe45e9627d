// What npm runs after an install: a build, where there is a compiler and need of one.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runningService } from './running.js';

const isThere = (path) => existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)));
const isBuilt = isThere('dist/main.js') && isThere('sdk/dist/esm/index.js');

/** npm calls no script before it replaces the packages, so this comes after, but before a build replaces the rest. */
const running = ['ci', 'install'].includes(process.env.npm_command) ? runningService() : undefined;

if (running !== undefined) {
  console.error(
    `Comanda is running from this folder (process ${running}), and its packages were replaced under it: requests may fail. ` +
      `Nothing was built. Stop it, run \`npm ${process.env.npm_command}\` again, then start it.`,
  );
  process.exitCode = 1;
} else if (isThere('node_modules/typescript')) {
  // `npx comanda` installs nothing new: what is built stays.
  if (process.env.npm_command !== 'exec' || !isBuilt) {
    console.log('Building Comanda; this takes up to a minute.');
    await import('./build.js');
  }
} else if (!isBuilt) {
  console.error(
    'Comanda is installed but not built, since building needs the development packages: ' +
      'run `npm ci --include=dev`, or put a built `dist` and `sdk/dist` here.',
  );
}
