import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderForTest, preparedFolder, untilStatus } from '../harness/process.js';
import { startInTerminal } from '../harness/terminal.js';

const SERVER = new URL('../../dist/main.js', import.meta.url).pathname;
const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const ROOT = new URL('../..', import.meta.url).pathname;
const node = (file: string, more = '') => `'${process.execPath}' '${file}' ${more}`;

/** npm itself ends by the signal, before the service has finished. */
const NPM_HUNG_UP = '129';

const readOrNothing = (path: string) => readFile(path, 'utf8').catch(() => '');
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe.runIf(process.platform === 'linux')('a service whose terminal is closed', () => {
  it.each([
    ['the service', node(SERVER), '0', {}],
    ['the service with a log in JSON', node(SERVER), '0', { COMANDA_LOG_FORMAT: 'json' }],
    ['comanda serve', node(CLI, 'serve'), '0', {}],
    ['npm start', `npm --prefix '${ROOT}' start`, NPM_HUNG_UP, {}],
    ['npm run demo', `npm --prefix '${ROOT}' run demo`, NPM_HUNG_UP, {}],
  ])('ends as after Ctrl-C, with its PostgreSQL: %s', async (_name, command, exitCode, settings) => {
    const data = await folderForTest(preparedFolder);
    const folder = await folderForTest();
    // The first shell ends with the terminal, which hangs up on the rest; the second notes how the command ended.
    const noting = join(folder, 'noting.sh');
    await writeFile(noting, `trap '' HUP\n${command}\necho $? > '${folder}/exit-code'\n`);
    const terminal = await startInTerminal(
      { COMANDA_DATA_DIR: data, HOME: folder, COMANDA_DEMO: 'off', ...settings },
      `sh '${noting}'; true`,
    );
    await untilStatus(`${terminal.url}/readyz`, 200);
    const postmaster = Number.parseInt(await readFile(join(data, 'postgres/postmaster.pid'), 'utf8'), 10);
    expect(isAlive(postmaster)).toBe(true);
    await terminal.close();
    await expect.poll(() => readOrNothing(join(folder, 'exit-code'))).toBe(`${exitCode}\n`);
    await expect.poll(() => isAlive(postmaster)).toBe(false);
    expect(await readFile(join(data, 'postgres.log'), 'utf8')).toContain('database system is shut down');
  });
});
