import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reachSocketFolder } from '../../../src/postgres/bundled/embedded-postgres.js';
import { makeDataFolder } from './helpers.js';

const platforms = process.platform === 'linux' ? (['linux', 'darwin'] as const) : (['darwin'] as const);

it.each(platforms)('gives a long folder a short second name on %s', async (platform) => {
  const folder = join(await makeDataFolder(), 'long-'.repeat(40));
  await mkdir(join(folder, 'inside'), { recursive: true });
  const reached = await reachSocketFolder(folder, platform);
  expect(reached.path.length).toBeLessThan(89);
  expect(await readdir(reached.path)).toEqual(['inside']);
  await reached.close();
  await expect(stat(reached.path)).rejects.toThrow('ENOENT');
});

it('leaves a short folder as it is', async () => {
  const reached = await reachSocketFolder('/srv/comanda/data/postgres');
  expect(reached.path).toBe('/srv/comanda/data/postgres');
  await reached.close();
});
