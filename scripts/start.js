// Starts the service, with the demo restaurant when asked for it; or says in a sentence that there is nothing to start yet.
import { existsSync } from 'node:fs';

const server = new URL('../dist/main.js', import.meta.url);
if (process.argv[2] === 'demo') process.env.COMANDA_DEMO = 'on';
if (existsSync(server)) {
  await import(server.href);
} else {
  console.error('Comanda is not built: run `npm ci --include=dev` once, then start again.');
  process.exitCode = 1;
}
