import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../src/', import.meta.url).pathname;

/** Two texts under one name fail on whichever connection meets both, and on no other. */
it('gives every statement a name of its own', async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const names: string[] = [];
  for (const file of files) {
    const source = await readFile(join(FOLDER, file), 'utf8');
    for (const [, given = ''] of source.matchAll(/\bname: ([^,;\n]+),\n\s+text/g))
      for (const [, name = ''] of given.matchAll(/'([^']+)'/g)) names.push(name);
  }
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
