import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { exampleIds } from '../../src/support/example-ids.js';
import { comanda } from '../cli/command-line.js';
import { ask } from '../harness/client.js';
import { folderForTest, startProcess } from '../harness/process.js';

it('is removed with everything of it, and does not come back', { timeout: 120_000 }, async () => {
  const folder = await folderForTest();
  const environment = { COMANDA_DATA_DIR: `${folder}/data`, COMANDA_DEMO: 'on' };
  const first = await startProcess(environment);
  await first.untilReady();
  const key = (await readFile(`${folder}/data/operator.key`, 'utf8')).trim();
  const demoKey = /COMANDA_KEY=(\S+)/.exec(await readFile(`${folder}/data/demo.env`, 'utf8'))?.[1];
  const removal = ['demo', 'remove', '--yes', '--url', first.url, '--key', key];
  expect(await comanda(removal)).toEqual({ code: 0, out: 'Deleted the demo restaurant.\n', err: '' });
  expect((await ask(`${first.url}/v1/stores/`, { key: demoKey })).status).toBe(401);
  expect(await comanda(removal)).toEqual({
    code: 5,
    out: '',
    err: 'Error: There is no demo restaurant.\n',
  });
  const logged =
    first
      .output()
      .split('\n')
      .find((line) => line.includes('A merchant was deleted')) ?? '{}';
  expect(JSON.parse(logged)).toMatchObject({ merchant_id: exampleIds.merchant, is_forced: true });
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = await startProcess(environment);
  await second.untilReady();
  expect((await ask(`${second.url}/v1/merchants/`, { key })).body).toEqual([]);
  expect((await ask(`${second.url}/v1/stores/`, { key: demoKey })).status).toBe(401);
  second.child.kill('SIGTERM');
  await second.ended;
});
