// Counts the files of src that a request passes, on a service of its own: `npm run walk`. With `-- --list` it names them, with
// the functions called there.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countCalls } from './walk/count-calls.js';

const OPERATOR_KEY = 'operator-key-of-the-walk-0123456789abcdef';
const LISTS = process.argv.includes('--list');
/** The first requests start threads and fill caches. Only what all counted requests call is theirs: timers run too. */
const WARM_UP = 5;
const COUNTED = 5;
/** What a response sets off, such as its line in the log, runs after the client has it. */
const SETTLE_MS = 50;

async function send(method, path, key, body) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function showWalk(title, request, prepare = () => undefined) {
  let calls;
  for (let i = 0; i < WARM_UP + COUNTED; i += 1) {
    await prepare(i);
    await delay(SETTLE_MS);
    await takeCalls();
    await request(i);
    await delay(SETTLE_MS);
    const called = new Set(await takeCalls());
    if (i >= WARM_UP) calls = [...(calls ?? called)].filter((call) => called.has(call));
  }
  const files = {};
  for (const [file, name] of calls.map((call) => call.split(' '))) (files[file] ??= []).push(name);
  console.log(`${title.padEnd(26)}${String(Object.keys(files).length).padStart(5)}`);
  if (!LISTS) return;
  for (const file of Object.keys(files).sort()) console.log(`  ${file}: ${files[file].join(', ')}`);
}

async function listen(handler) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: String(server.address().port), close: () => once(server.close(), 'close') };
}

/** A receiver of webhooks that responds to an event only when it is told to. */
async function startReceiver() {
  const events = [];
  let arrived = () => undefined;
  const { port, close } = await listen((request, response) => {
    request.resume();
    events.push(response);
    arrived();
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    close,
    accept: () => events.shift().writeHead(204).end(),
    nextEvent: () => (events.length > 0 ? undefined : new Promise((resolve) => (arrived = resolve))),
  };
}

/** Opens a stream, waits for one event and closes it. */
async function readOneEvent(path, key) {
  const client = new AbortController();
  const response = await fetch(url + path, { headers: { 'x-api-key': key }, signal: client.signal });
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    if (/^data: .*\n\n/m.test(text)) break;
  }
  client.abort();
}

const dataDir = await mkdtemp(join(tmpdir(), 'comanda-walk-'));
const { port: PORT, close: freePort } = await listen();
await freePort();
const url = `http://127.0.0.1:${PORT}`;
Object.assign(process.env, {
  PORT,
  COMANDA_DATA_DIR: dataDir,
  COMANDA_OPERATOR_KEY: OPERATOR_KEY,
  COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
  LOG_LEVEL: 'warn',
});
const takeCalls = await countCalls();
const service = import('../dist/main.js');
const receiver = await startReceiver();
try {
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (process.exitCode === 1) process.exit();
    await delay(200);
  }

  const { menuExample } = await import('../dist/menus/example.js');
  const { orderExample } = await import('../dist/orders/shapes.js');
  const create = (noun, body) => send('POST', `/manage/v1/${noun}`, OPERATOR_KEY, body);
  const { id: merchant_id } = await create('merchants', { brand_name: 'Walk' });
  const store = await create('stores', { merchant_id, name: { translations: { en: 'Walk' } } });
  const permissions = ['read', 'menu:write', 'orders:write', 'webhooks:write'];
  const { key } = await create('keys', { merchant_id, permissions });
  const menu = `/v1/stores/${store.id}/menu_configuration/`;
  const publish = (price) =>
    send('POST', menu, key, { ...menuExample, items: menuExample.items.map((item) => ({ ...item, price })) });
  const order = () => send('POST', `/manage/v1/stores/${store.id}/orders`, key, orderExample);
  const events = `/manage/v1/stores/${store.id}/events`;

  await publish(1);
  console.log('request                   files');
  await showWalk('GET tree', () => send('GET', menu, key));
  await showWalk('POST menu', (i) => publish(i + 2));
  await showWalk('POST order', order);
  await showWalk('GET orders by name', () =>
    send('GET', `/v1/stores/${store.id}/orders/?customer_name=Nowak`, key),
  );

  const { cursor } = await send('GET', `${events}?after=now`, key);
  await order();
  await showWalk('event stream', () => readOneEvent(`${events}/stream?after=${cursor}`, key));

  // An event is sent once the one before it is accepted: with its order taken in before that, only its delivery is counted.
  await send('POST', '/manage/v1/webhooks', key, { url: receiver.url });
  await order();
  await receiver.nextEvent();
  const deliver = () => {
    receiver.accept();
    return receiver.nextEvent();
  };
  await showWalk('webhook delivery', deliver, order);
  receiver.accept();
} finally {
  process.kill(process.pid, 'SIGTERM');
  await service;
  await receiver.close();
  await rm(dataDir, { recursive: true });
}
