import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signWebhook } from '#sdk';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../harness/free-port.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService } from '../harness/service.js';
import { createStore, createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { createWebhook, webhookClient } from '../harness/webhooks.js';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = makeTestFolder();
const service = await useService({}, { delivers: true });

/** The one program of that language on the page, in the form in which it can be run. */
async function program(language: string): Promise<string> {
  const page = await readFile(at('docs/receiving-events.md'), 'utf8');
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))];
  expect(blocks).toHaveLength(1);
  return (blocks[0]?.[1] ?? '').replace("'@comanda/client'", JSON.stringify(at('sdk/dist/esm/index.js')));
}

interface Program {
  /** What it has printed, line by line. */
  readonly lines: () => string[];
  readonly kill: () => Promise<void>;
}

function run(
  command: string,
  path: string,
  environment: Record<string, string>,
  cwd: string = folder,
): Program {
  const child = spawn(command, [path], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  const ended = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return { lines: () => text.split('\n').slice(0, -1), kill };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython)
  console.warn('NO python3 HERE: the Python receiver of docs/receiving-events.md is NOT tested.');

describe.each([
  ['ts', process.execPath, 'receiver.mjs'],
  ['python', 'python3', 'receiver.py'],
])('the receiver in %s', (language, command, file) => {
  it.skipIf(language === 'python' && !hasPython)(
    'takes every event once and in order, and nothing that was not signed with its secret',
    async () => {
      const source = await program(language);
      const target = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 };
      const path = join(folder, file);
      await writeFile(
        path,
        language === 'ts' ? ts.transpileModule(source, { compilerOptions: target }).outputText : source,
      );

      const tenant = await createTenant(service);
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/`;
      const client = webhookClient(service, tenant.key);
      const { id, secret } = await createWebhook(client, { url });
      const receiver = run(command, path, { WEBHOOK_SECRET: secret, PORT: String(port) });
      const answers = () =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(answers, { timeout: 20_000 }).toBe(400);

      const wanted: string[] = [];
      for (let serial = 0; serial < 5; serial += 1) {
        const { body } = await takeIn(service, tenant);
        await patch(service, tenant.key, body.id, { status: 'CUSTOMER_CANCELLED' });
        wanted.push(`new ${body.id}`, `CUSTOMER_CANCELLED ${body.id}`);
      }
      await expect.poll(receiver.lines, { timeout: 20_000 }).toEqual(wanted);

      const post = async (body: string, headers: Record<string, string>) =>
        (await fetch(url, { method: 'POST', body, headers })).status;
      const body = JSON.stringify({ id: 'evt_1', type: 'order.created', data: { order_id: 'forged' } });
      const sign = (signedBody: string, with_: string, ageSeconds = 0) =>
        signWebhook(signedBody, {
          id: 'evt_1',
          timestamp: new Date(Date.now() - ageSeconds * 1000),
          secret: with_,
        });
      const other = `whsec_${randomBytes(32).toString('base64')}`;
      expect(await post(body, await sign(body, other))).toBe(400);
      expect(await post(body.replace('forged', 'bent'), await sign(body, secret))).toBe(400);
      expect(await post(body, await sign(body, secret, 600))).toBe(400);
      expect(await post(body, { ...(await sign(body, secret)), 'webhook-signature': 'v1,' })).toBe(400);
      expect(await post(body, {})).toBe(400);

      await client.send('POST', `/${id}/replay`, { store_id: tenant.storeId });
      const taken = async () => (await client.deliveries(id)).filter(({ status }) => status === 204).length;
      await expect.poll(taken, { timeout: 20_000 }).toBe(20);
      expect(receiver.lines()).toEqual(wanted);
    },
    60_000,
  );
});

describe('the loop over the feed', () => {
  it('misses no order and no cancellation of many writers, also when it is killed', async () => {
    const tenant = await createTenant(service);
    const other = await createStore(service, tenant.merchantId);
    const own = join(folder, 'feed');
    await mkdir(own);
    const path = join(own, 'feed.mjs');
    await writeFile(path, await program('js'));
    const environment = { COMANDA_URL: service.url, COMANDA_KEY: tenant.key };
    const start = () => run(process.execPath, path, environment, own);
    const before = start();

    const made = new Set<string>();
    const cancelled = new Set<string>();
    const write = async (writer: number) => {
      for (let serial = 0; serial < 25; serial += 1) {
        const storeId = writer % 2 === 0 ? tenant.storeId : other;
        const { body } = await takeIn(service, { ...tenant, storeId });
        made.add(body.id);
        if (serial % 5 !== 0) continue;
        await patch(service, tenant.key, body.id, { status: 'STORE_CANCELLED' });
        cancelled.add(body.id);
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
    await expect.poll(() => before.lines().length, { timeout: 30_000 }).toBeGreaterThan(20);
    await before.kill();
    const after = start();
    await Promise.all(writers);

    const seen = (type: string) =>
      [...before.lines(), ...after.lines()].flatMap((line) => {
        const [told, id = ''] = line.split(' ');
        return told === type ? [id] : [];
      });
    const has = () => [new Set(seen('order.created')).size, new Set(seen('order.status_changed')).size];
    await expect.poll(has, { timeout: 30_000 }).toEqual([made.size, cancelled.size]);
    expect(new Set(seen('order.created'))).toEqual(made);
    expect(new Set(seen('order.status_changed'))).toEqual(cancelled);
  }, 90_000);
});
