import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exampleIds } from '../../src/support/example-ids.js';
import { startLines } from '../../src/start/start-report.js';
import { ask } from '../harness/client.js';
import { findFreePort } from '../harness/free-port.js';
import {
  folderForTest,
  startForTest,
  startProcess,
  temporaryFolder,
  untilStatus,
  type ServiceProcess,
} from '../harness/process.js';

const START_MS = 60_000;
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasScript = spawnSync('script', ['--version']).status === 0;
let dataDir: string;
let running: ServiceProcess;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  running = await start();
}, 2 * START_MS);
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(more: Record<string, string> = {}): Promise<ServiceProcess> {
  const started = await startProcess({ COMANDA_DATA_DIR: dataDir, COMANDA_DEMO: 'on', ...more });
  await started.untilReady(START_MS);
  return started;
}

async function startAgain(more: Record<string, string> = {}): Promise<void> {
  running.child.kill('SIGTERM');
  await running.ended;
  running = await start(more);
}

interface DemoEnv {
  readonly url: string;
  readonly key: string;
}

const readEnv = async (): Promise<DemoEnv> => {
  const text = await readFile(join(dataDir, 'demo.env'), 'utf8');
  const valueOf = (name: string) => new RegExp(`^export ${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { url: valueOf('COMANDA_URL'), key: valueOf('COMANDA_KEY') };
};
const countOrders = async () => {
  const { url, key } = await readEnv();
  const answer = await ask<{ count: number }>(`${url}/v1/stores/${exampleIds.store}/orders/`, { key });
  return answer.body.count;
};

describe('the first start on an empty folder, with the demo', () => {
  it('logs JSON and nothing else, and tells the address once', async () => {
    await expect.poll(running.output).toMatch(/Comanda is ready on .*\n$/);
    const entries = running
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; migrated?: string[]; demo?: { orders: number } });
    const ready = entries.filter(({ msg }) => msg === `Comanda is ready on ${running.url}`);
    expect(ready).toHaveLength(1);
    expect(ready[0]?.migrated).toEqual([]);
    expect(ready[0]?.demo?.orders).toBeGreaterThan(300);
    expect(entries.some(({ msg }) => msg.startsWith('Server listening'))).toBe(false);
  });

  it('keeps the demo key where the owner alone may read it', async () => {
    const { mode } = await stat(join(dataDir, 'demo.env'));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(await readEnv()).toMatchObject({
      url: running.url,
      key: expect.stringMatching(/^comanda_/) as string,
    });
  });

  it.skipIf(!hasCurl)('shows a line that works when pasted', () => {
    const lines = startLines({
      version: '0',
      url: running.url,
      database: {
        serverVersion: '18',
        isBundled: true,
        isNew: true,
        place: dataDir,
        programs: undefined,
      },
      migrated: [],
      demo: {
        loaded: { stores: 3, orders: 1 },
        keyFile: join(dataDir, 'demo.env'),
        consoleCode: undefined,
        guestCode: undefined,
      },
      operatorKeyFile: undefined,
    });
    const line = lines.find((each) => each.trimStart().startsWith('Try it'))?.replace(/^ *Try it +/, '');
    // Nothing else of the environment, least of all a proxy.
    const env = { PATH: process.env['PATH'] };
    const { status, stdout } = spawnSync('sh', ['-c', line ?? 'false'], { env, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(4);
  });

  it('keeps the code of a first look out of the log', async () => {
    await expect.poll(running.output).toContain(`"console":"${running.url}/console"`);
    expect(running.output()).not.toContain('code=');
  });

  it('gives a key that is good for the demo merchant alone', async () => {
    const { key } = await readEnv();
    const merchants = await ask<{ id: string }[]>(`${running.url}/v1/merchants/`, { key });
    expect(merchants.body.map(({ id }) => id)).toEqual([exampleIds.merchant]);
    expect((await ask(`${running.url}/manage/v1/backup`, { key })).status).toBe(403);
  });
});

describe('the starts after it', () => {
  it('keep key and orders, and follow the port', async () => {
    const [before, orders] = [await readEnv(), await countOrders()];
    await startAgain();
    await expect.poll(running.output).toContain('"console":"');
    expect(running.output()).toContain(`"console":"${running.url}/console"`);
    const after = await readEnv();
    expect(after.key).toBe(before.key);
    expect(after.url).toBe(running.url);
    expect(after.url).not.toBe(before.url);
    expect(await countOrders()).toBe(orders);
  });

  it('make a new key where the file is gone, and leave the demo alone when told so', async () => {
    const before = await readEnv();
    await rm(join(dataDir, 'demo.env'));
    await startAgain({ COMANDA_DEMO: 'off' });
    await expect(readEnv()).rejects.toThrow('ENOENT');
    // An empty one counts as none.
    await startAgain({ COMANDA_DEMO: '' });
    expect((await readEnv()).key).not.toBe(before.key);
    expect(await countOrders()).toBeGreaterThan(100);
  });
});

describe('where nothing is said of the demo', () => {
  const environment = async () => ({
    PATH: process.env['PATH'],
    COMANDA_DATA_DIR: await folderForTest(),
    PORT: String(await findFreePort()),
  });

  it('a start without a terminal brings none', async () => {
    const { PATH: _, ...settings } = await environment();
    const service = await startForTest({ ...settings, COMANDA_DEMO: '' });
    await service.untilReady(START_MS);
    await expect.poll(service.output).toContain('Comanda is ready');
    expect(JSON.parse(service.output().trim().split('\n').at(-1) ?? '')).toMatchObject({ demo: 'none' });
    expect(await readdir(settings.COMANDA_DATA_DIR)).not.toContain('demo.env');
  });

  it('a start without a terminal says where the key is, and how to get a link into the console', async () => {
    const { PATH, ...settings } = await environment();
    const service = await startForTest(settings);
    await expect.poll(service.output, { timeout: START_MS }).toContain('Comanda is ready');
    const { signIn, operatorKeyFile } = JSON.parse(
      service.output().trim().split('\n').at(-1) ?? '',
    ) as Record<string, string>;
    expect(operatorKeyFile).toBe(join(settings.COMANDA_DATA_DIR, 'operator.key'));
    const { stdout } = await promisify(execFile)('sh', ['-c', signIn ?? ''], {
      env: { PATH, HOME: settings.COMANDA_DATA_DIR },
    });
    const { origin, hash } = new URL(stdout.trim());
    const session = await ask<{ key: object }>(`${origin}/console/api/session`, {
      method: 'POST',
      body: { code: new URLSearchParams(hash.slice(1)).get('code') },
      headers: { origin },
    });
    expect(session.status).toBe(201);
    expect(session.body.key).toMatchObject({ kind: 'operator' });
  });

  it.skipIf(!hasScript)(
    'a person in a terminal is shown it, with a link into the console that works once',
    async () => {
      const env = await environment();
      // A program that gives its child a terminal.
      const terminal = spawn(
        'script',
        ['--quiet', '--return', '--command', 'exec node dist/main.js', '/dev/null'],
        {
          env,
        },
      );
      let shown = '';
      terminal.stdout.on('data', (piece: Buffer) => (shown += piece.toString()));
      const ended = once(terminal, 'close');
      onTestFinished(async () => {
        terminal.stdin.write('\x03');
        await ended;
      });
      await untilStatus(`http://127.0.0.1:${env.PORT}/readyz`, 200, START_MS);
      await expect.poll(() => shown).toContain('Stop      Ctrl-C');
      expect(shown).toMatch(/Demo +Casa Comanda, 4 stores/);
      expect(shown).toContain(`Demo key  ${join(env.COMANDA_DATA_DIR, 'demo.env')}`);

      const { origin, pathname, hash } = new URL(/Console +(\S+)/.exec(shown)?.[1] ?? '');
      expect(pathname).toBe('/console');
      const signIn = () =>
        ask<{ key: object }>(`${origin}/console/api/session`, {
          method: 'POST',
          body: { code: new URLSearchParams(hash.slice(1)).get('code') },
          headers: { origin },
        });
      const first = await signIn();
      expect(first.status).toBe(201);
      expect(first.body.key).toMatchObject({
        kind: 'merchant',
        merchant_id: exampleIds.merchant,
        label: 'demo',
      });
      expect((await signIn()).status).toBe(401);
    },
  );
});
