import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { ask } from '../harness/client.js';
import { list, orderRequest, takeIn, type OrderBody } from '../harness/orders.js';
import type { ServiceProcess } from '../harness/process.js';
import { createDatabase, type Service } from '../harness/service.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { createTenant, type Tenant } from '../harness/tenant.js';

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const OPERATOR_KEY = asService({ url: '' }).operatorKey;

async function startCell(cell: number) {
  const { connection, drop } = await createDatabase(inject('template'));
  onTestFinished(drop);
  const environment = { COMANDA_CELL: String(cell) };
  return { start: () => startProcessOn(connection, environment) };
}

interface Command {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
}

function startMove(merchantId: string, from: string, to: string, more: readonly string[] = []): Command {
  const child = spawn(process.execPath, [CLI, 'merchants', 'move', merchantId, '--to', to, ...more], {
    env: { PATH: process.env['PATH'], COMANDA_URL: from, COMANDA_KEY: OPERATOR_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended };
}

/** Passes requests on; after each response has come, and before it goes back, `onResponse` is told. */
async function startProxy(to: string, onResponse: () => boolean): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const passed = send(new URL(url, to), { method, headers }, (response: IncomingMessage) => {
      void buffer(response).then((body) => {
        if (!onResponse()) return outgoing.destroy();
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        return outgoing.end(body);
      });
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const idsAt = async (service: Service, tenant: Tenant) => {
  const { body } = await list(service, tenant, { page_size: '100' });
  return body.order_result_list.map(({ id }) => id).sort();
};

it('no order is lost or doubled while clients order, and another merchant notices nothing', async () => {
  const [source, target] = [
    asService(await (await startCell(0)).start()),
    asService(await (await startCell(7)).start()),
  ];
  const [tenant, neighbour] = [await createTenant(source), await createTenant(source)];
  let isOver = false;
  const statuses = new Set<number>();
  /** Orders until the end; goes to the new address when told, and tries again when asked to. */
  const order = async (name: string) => {
    const accepted: string[] = [];
    for (let [serial, url] = [0, source.url]; !isOver;) {
      const answer = await ask<OrderBody>(`${url}/manage/v1/stores/${tenant.storeId}/orders`, {
        method: 'POST',
        key: tenant.key,
        body: orderRequest(),
        headers: { 'idempotency-key': `${name}-${serial}` },
      });
      statuses.add(answer.status);
      if (answer.status === 201) accepted.push(answer.body.id);
      if (answer.status === 201) serial += 1;
      else if (answer.status === 421) url = answer.headers.get('location') ?? '';
      else await delay(50);
    }
    return accepted;
  };
  const others: number[] = [];
  const orderNextDoor = async () => {
    while (!isOver) others.push((await takeIn(source, neighbour)).status);
  };
  const clients = Promise.all([order('a'), order('b'), order('c')]);
  const nextDoor = orderNextDoor();
  await expect.poll(async () => (await idsAt(source, tenant)).length).toBeGreaterThan(10);
  const { code, output } = await startMove(tenant.merchantId, source.url, target.url).ended;
  expect([code, output]).toEqual([0, expect.stringContaining(`has moved to ${target.url}`)]);
  const moved = (await list(target, tenant)).body.count;
  await expect.poll(async () => (await list(target, tenant)).body.count).toBeGreaterThan(moved + 10);
  isOver = true;
  const accepted = (await clients).flat();
  await nextDoor;
  const { count } = (await list(target, tenant)).body;
  expect(count).toBe(accepted.length);
  for (const id of accepted)
    expect((await ask(`${target.url}/v1/orders/${id}`, { key: tenant.key })).status).toBe(200);
  expect([...statuses].filter((status) => ![201, 503, 421].includes(status))).toEqual([]);
  expect(new Set(others)).toEqual(new Set([201]));
  expect((await list(source, neighbour)).body.count).toBe(others.length);

  const again = await startMove(tenant.merchantId, source.url, target.url).ended;
  expect([again.code, again.output]).toEqual([0, expect.stringContaining('has moved')]);
  const ontoItself = await startMove(neighbour.merchantId, source.url, source.url).ended;
  expect([ontoItself.code, ontoItself.output]).toEqual([7, expect.stringContaining('same installation')]);
  const away = await startProxy(target.url, () => false);
  const broken = await startMove(neighbour.merchantId, source.url, away).ended;
  expect([broken.code, broken.output]).toEqual([
    3,
    expect.stringContaining('To finish it, run the same command again'),
  ]);
}, 240_000);

it('the command is killed after each of its requests, and finishes when it is run again', async () => {
  const [source, target] = [
    asService(await (await startCell(0)).start()),
    asService(await (await startCell(7)).start()),
  ];
  for (let step = 1; ; step += 1) {
    const tenant = await createTenant(source);
    await takeIn(source, tenant);
    let seen = 0;
    const onResponse = () => {
      seen += 1;
      if (seen !== step) return seen < step;
      command.child.kill('SIGKILL');
      return false;
    };
    const [from, to] = [await startProxy(source.url, onResponse), await startProxy(target.url, onResponse)];
    const limits = ['--address', target.url, '--within', '3'];
    const command = startMove(tenant.merchantId, from, to, limits);
    const { code, output } = await command.ended;
    // In use in one place at most, whatever the command has done so far.
    const taken = [await takeIn(source, tenant), await takeIn(target, tenant)].map(({ status }) => status);
    expect(taken.filter((status) => status === 201).length, `step ${step}: ${output}`).toBeLessThanOrEqual(1);
    const orders = 1 + taken.filter((status) => status === 201).length;
    if (code === null) {
      const again = await startMove(tenant.merchantId, source.url, target.url, limits).ended;
      expect([step, again.code, again.output]).toEqual([step, 0, expect.stringContaining('has moved')]);
    } else expect([step, code, output]).toEqual([step, 0, expect.stringContaining('has moved')]);
    const there = await list(target, tenant);
    expect([step, there.status, there.body.count]).toEqual([step, 200, orders]);
    expect([step, (await takeIn(source, tenant)).status]).toEqual([step, 421]);
    expect([step, (await takeIn(target, tenant)).status]).toEqual([step, 201]);
    if (code !== null) {
      expect(step).toBeGreaterThan(12);
      return;
    }
  }
}, 900_000);

it('the services are killed: a refusal holds, and ends by itself; what has moved stays away', async () => {
  const cell = await startCell(0);
  let running: ServiceProcess = await cell.start();
  const killAndStart = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
    running = await cell.start();
  };
  const tenant = await createTenant(asService(running));
  const setState = async (change: object) => {
    const { body } = await ask<{ until?: string }>(
      `${running.url}/manage/v1/merchants/${tenant.merchantId}/move`,
      { method: 'PATCH', key: OPERATOR_KEY, body: change },
    );
    return body.until;
  };
  await setState({ state: 'refusing', seconds: 20 });
  await killAndStart();
  expect((await takeIn(asService(running), tenant)).status).toBe(503);
  await expect
    .poll(async () => (await takeIn(asService(running), tenant)).status, { timeout: 60_000 })
    .toBe(201);
  const until = await setState({ state: 'refusing' });
  await setState({ state: 'moved', to: 'https://there.example', until });
  await killAndStart();
  expect((await takeIn(asService(running), tenant)).status).toBe(421);
}, 240_000);
