// Prints every route of the three surfaces with its operation and the file that has it: `npm run routes`.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('..', import.meta.url);
const ROUTE = /\b(?:route|storeRoute)\(\s*'(\w+)',\s*'([^']+)',\s*'(\w+)',/g;

const files = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file}`);
const routes = files
  .flatMap((file) => {
    const text = readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
    return [...text.matchAll(ROUTE)].map(([, method, path, operation]) => [method, path, operation, file]);
  })
  .sort(([, one], [, other]) => (one < other ? -1 : 1));

const widths = [0, 1, 2].map((column) => Math.max(...routes.map((route) => route[column].length)));
for (const route of routes)
  console.log(route.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
