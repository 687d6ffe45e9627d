import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoInstallation } from '../harness/demo-installation.js';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let service: Awaited<ReturnType<typeof startDemoInstallation>>;
let folder: string;
beforeAll(async () => {
  service = await startDemoInstallation();
  ({ folder } = service);
});
afterAll(() => service.stop());

async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(at(`docs/${page}`), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  );
}

const environment = () => ({ PATH: process.env['PATH'], HOME: folder, COMANDA_URL: service.url });

describe('what the documentation tells to type', () => {
  it('works in cli.md', async () => {
    const comanda = `comanda() { '${process.execPath}' '${at('dist/cli/main.js')}' "$@"; }`;
    const script = ['set -eu', comanda, ...(await blocksOf('cli.md', 'sh'))].join('\n');
    const run = spawnSync('sh', ['-c', script], { cwd: folder, env: environment(), encoding: 'utf8' });
    expect([run.status, run.stderr.match(/^error.*/gim)]).toEqual([0, null]);
    expect(run.stdout).toContain('Published as version 1.');
  });

  it('works in client-library.md', async () => {
    const [program = ''] = await blocksOf('client-library.md', 'js');
    const path = `${folder}/program.mjs`;
    await writeFile(path, program.replace("'@comanda/client'", JSON.stringify(at('sdk/dist/esm/index.js'))));
    const key = /COMANDA_KEY=(\S+)/.exec(await readFile(`${folder}/data/demo.env`, 'utf8'))?.[1];
    const env = { ...environment(), COMANDA_KEY: key };
    const run = spawnSync(process.execPath, [path], { env, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^\d+ menus\n\d+ orders wait\nbody\.items\.0\.name Field required\n/);
  });
});
