import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { startDemoInstallation } from '../harness/demo-installation.js';
import { exampleIds } from '../../src/support/example-ids.js';

const clone = fileURLToPath(new URL('../..', import.meta.url));
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The pages in the order of a reader, with the number of curl requests on each and the refusals that it shows. */
const PAGES: readonly (readonly [page: string, requests: number, refused?: string])[] = [
  ['quick-start.md', 6],
  ['integrator-guide.md', 21, '422'],
  ['menus.md', 2],
  ['orders.md', 1],
  ['webhooks.md', 1],
  ['quotes.md', 1],
  ['agents.md', 1],
  ['cli.md', 0],
];

async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(`${clone}/docs/${page}`, 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

let service: Awaited<ReturnType<typeof startDemoInstallation>>;
let folder: string;
let demoKey: string;
beforeAll(async () => {
  service = await startDemoInstallation();
  ({ folder } = service);
  demoKey = /COMANDA_KEY=(\S+)/.exec(await readFile(`${folder}/data/demo.env`, 'utf8'))?.[1] ?? '';
});
afterAll(() => service.stop());

const environment = () => ({
  PATH: `${folder}/.local/bin:${process.env['PATH'] ?? ''}`,
  HOME: folder,
  npm_config_cache: `${folder}/npm-cache`,
  npm_config_update_notifier: 'false',
  COMANDA_URL: service.url,
});

interface Run {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function runIn(cwd: string, script: string, more: Record<string, string> = {}): Promise<Run> {
  const options = { cwd, env: { ...environment(), ...more }, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile('sh', ['-c', script], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? 'killed'), stdout, stderr }),
    );
  });
}

/** As on an evening when the kitchen has seen to every order. */
async function acceptAllPending(): Promise<void> {
  const list = `${service.url}/manage/v1/stores/${exampleIds.store}/orders?status=PENDING`;
  const { body } = await ask<{ orders: { id: string }[] }>(list, { key: demoKey });
  for (const { id } of body.orders)
    await ask(`${service.url}/manage/v1/orders/${id}`, {
      method: 'PATCH',
      key: demoKey,
      body: { status: 'ACCEPTED' },
    });
}

describe.skipIf(!hasCurl)('what the documentation tells to type', () => {
  it('links the command line into a folder of the user', async () => {
    const [link = ''] = await blocksOf('cli.md', '');
    const { status, stderr } = await runIn(clone, link);
    expect([status, stderr.match(/^npm error.*/gm)]).toEqual([0, null]);
    expect((await runIn(folder, 'command -v comanda')).stdout).toBe(`${folder}/.local/bin/comanda\n`);
  });

  // Dozens of programs one after the other: on a busy machine they take minutes.
  it('works page after page, in one shell', { timeout: 300_000 }, async () => {
    await acceptAllPending();
    const parts = await Promise.all(
      PAGES.map(async ([page]) => [`echo ${page} >>statuses`, ...(await blocksOf(page, 'sh'))]),
    );
    const curl = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@" 2>>statuses; }`;
    const run = await runIn(folder, ['set -eu', curl, ...parts.flat()].join('\n'));
    const lines = (await readFile(`${folder}/statuses`, 'utf8')).split('\n');
    expect([run.status, run.stderr.match(/^error.*/gim)]).toEqual([0, null]);
    expect(run.stdout).toContain('Published as version 1.');
    for (const [page, requests, refused] of PAGES) {
      const next = lines.slice(lines.indexOf(page) + 1);
      const end = next.findIndex((line) => line.endsWith('.md'));
      const statuses = next.slice(0, end === -1 ? undefined : end).filter((line) => /^\d{3}$/.test(line));
      const wrong = statuses.filter((status) => !status.startsWith('2'));
      expect([page, statuses.length, wrong]).toEqual([
        page,
        requests,
        refused === undefined ? [] : [refused],
      ]);
    }
  });

  it('installs the client library into another project and runs its program', async () => {
    const project = `${folder}/project`;
    await mkdir(project);
    await writeFile(`${project}/package.json`, '{ "name": "till", "private": true }');
    const [install = ''] = await blocksOf('client-library.md', '');
    expect(install).toContain(' ../comanda/sdk');
    expect(await runIn(project, install.replace('../comanda/sdk', `'${clone}sdk'`))).toMatchObject({
      status: 0,
    });
    const [program = ''] = await blocksOf('client-library.md', 'js');
    await writeFile(`${project}/program.mjs`, program);
    const run = await runIn(project, `'${process.execPath}' program.mjs`, { COMANDA_KEY: demoKey });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^\d+ menus\n\d+ orders wait\nbody\.items\.0\.name Field required\n/);
  });
});
