// Shows which files of src a request passes, with the functions it calls there, on a service of its own: `npm run walk`.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countCalls } from './walk/count-calls.js';

const OPERATOR_KEY = 'operator-key-of-the-walk-0123456789abcdef';
/** The first requests start threads and fill what is kept in memory; of the others, what all of them call is theirs. */
const WARM_UP = 5;
const COUNTED = 5;

async function ask(method, path, key, body) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function showWalk(title, request) {
  let calls;
  for (let time = 0; time < WARM_UP + COUNTED; time += 1) {
    await takeCalls();
    await request(time);
    const called = new Set(await takeCalls());
    if (time >= WARM_UP) calls = [...(calls ?? called)].filter((call) => called.has(call));
  }
  const files = {};
  for (const [file, name] of calls.map((call) => call.split(' '))) (files[file] ??= []).push(name);
  console.log(`\n${title}: ${Object.keys(files).length} files`);
  for (const file of Object.keys(files).sort()) console.log(`  ${file}: ${files[file].join(', ')}`);
}

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await once(probe.close(), 'close');
  return String(port);
}

const dataDir = await mkdtemp(join(tmpdir(), 'comanda-walk-'));
const PORT = await findFreePort();
const url = `http://127.0.0.1:${PORT}`;
const settings = { PORT, COMANDA_DATA_DIR: dataDir, COMANDA_OPERATOR_KEY: OPERATOR_KEY, LOG_LEVEL: 'warn' };
Object.assign(process.env, settings);
const takeCalls = await countCalls();
const service = import('../dist/server.js');
try {
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (process.exitCode === 1) process.exit();
    await delay(200);
  }

  const { menuExample } = await import('../dist/domain/menu/example.js');
  const create = (noun, body) => ask('POST', `/manage/v1/${noun}`, OPERATOR_KEY, body);
  const { id: merchant_id } = await create('merchants', { brand_name: 'Walk' });
  const store = await create('stores', { merchant_id, name: { translations: { en: 'Walk' } } });
  const { key } = await create('keys', { merchant_id, permissions: ['read', 'menu:write'] });
  const path = `/v1/stores/${store.id}/menu_configuration/`;
  const items = (price) => menuExample.items.map((item) => ({ ...item, price }));
  await showWalk('POST menu', (time) => ask('POST', path, key, { ...menuExample, items: items(time + 1) }));
  await showWalk('GET tree', () => ask('GET', path, key));
} finally {
  process.kill(process.pid, 'SIGTERM');
  await service;
  await rm(dataDir, { recursive: true });
}
