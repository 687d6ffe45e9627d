import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoInstallation } from '../harness/demo-installation.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Runs what the pages tell their readers to type, in one shell per page, in the folder of a new installation. */
describe.skipIf(!hasCurl)('the commands in the documentation', () => {
  let service: Awaited<ReturnType<typeof startDemoInstallation>>;
  let folder: string;
  beforeAll(async () => {
    service = await startDemoInstallation();
    ({ folder } = service);
  });
  afterAll(() => service.stop());

  it.each([
    ['quick-start.md', 6],
    ['integrator-guide.md', 13],
    ['quotes.md', 1],
  ])('in %s all work', async (page, requests) => {
    const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
    const curl = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@" 2>>statuses; }`;
    const script = ['set -eu', curl, ...blocks].join('\n');
    const environment = { PATH: process.env['PATH'], COMANDA_URL: service.url };
    const run = spawnSync('sh', ['-c', script], { cwd: folder, env: environment, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, '']);
    const statuses = (await readFile(`${folder}/statuses`, 'utf8'))
      .split('\n')
      .filter((line) => /^\d{3}$/.test(line));
    await rm(`${folder}/statuses`);
    expect(statuses).toHaveLength(requests);
    const refused = statuses.filter((status) => !status.startsWith('2'));
    expect(refused).toEqual(page === 'integrator-guide.md' ? ['422'] : []);
  });
});
