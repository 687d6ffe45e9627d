import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BOUNDS, CONNECTIONS } from '../../src/support/bounds.js';

const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

it('documents every bound with its numbers', () => {
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (\d*) *\| (\d*) *\|/gm)].map(([, name = '', ...numbers]) => [
      name,
      numbers.map((text) => (text === '' ? undefined : Number(text))),
    ]),
  );
  const bounds = Object.entries(BOUNDS).map(([name, bound]): [string, (number | undefined)[]] => {
    if (typeof bound === 'number') return [name, [bound, undefined, undefined]];
    const sizes: { size: number; perOwner?: number; perStore?: number } = bound;
    return [name, [sizes.size, sizes.perOwner, sizes.perStore]];
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(bounds));
});

it('documents how many connections a process opens beside its pool', () => {
  const beside = Object.values(CONNECTIONS).reduce((sum, size) => sum + size, 0);
  expect(page).toContain(`\`COMANDA_DATABASE_POOL\` + ${beside}`);
});
