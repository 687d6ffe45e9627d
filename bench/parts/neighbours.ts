import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { startFlood } from '../measure/flood.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import { treePath } from './menu-bytes.js';
import { prepareMisdeeds, type Misdeed } from './misdeeds.js';
import { withService, type Setting } from './setting.js';

const CONNECTIONS = 4;
const DURATION_MS = Number(process.env['BENCH_NEIGHBOURS_MS'] ?? 3_000);
const ONLY = process.env['BENCH_NEIGHBOURS_ONLY'] ?? '';
const UNDER_WAY_MS = 500;
const ALWAYS_GOOD_MS = 100;
const WORSE_AT_MOST = 5;

export const neighbours: Part = {
  name: 'neighbours',
  title: 'What a merchant notices of another that misbehaves',
  short: 'Neighbours',
  notes: [
    `The slowest hundredth (p99) of a quiet merchant's reads of an order, lists, publications and orders taken in, ${CONNECTIONS} connections each,`,
    `while another merchant does what the line says. Each may take ${WORSE_AT_MOST} times what it takes without, or ${ALWAYS_GOOD_MS} ms; none may fail.`,
    'The figure is the worst of the four in shares of that. All of them share the processors of the machine with who misbehaves.',
  ],
  run: (bench) => withService(bench, (setting) => measure(bench, setting)),
};

interface Deed {
  readonly name: string;
  readonly requests: readonly Uint8Array[];
  readonly status: number;
}

async function measure(bench: Bench, setting: Setting): Promise<Figure[]> {
  bench.step('preparing');
  const deeds = await prepareDeeds(setting);
  const misdeeds = (await prepareMisdeeds(setting)).filter(({ name }) => name.includes(ONLY));
  await timeAll(bench, setting, deeds);
  const quiet = await timeAll(bench, setting, deeds);
  const figures: Figure[] = [];
  for (const misdeed of misdeeds) figures.push(await measureBeside(bench, setting, deeds, quiet, misdeed));
  return figures;
}

async function measureBeside(
  bench: Bench,
  setting: Setting,
  deeds: readonly Deed[],
  quiet: readonly Timed[],
  { name, flood }: Misdeed,
): Promise<Figure> {
  bench.step(name);
  const under = await startFlood({ ...flood, port: setting.service.port });
  await delay(UNDER_WAY_MS);
  const beside = await timeAll(bench, setting, deeds);
  await under.stop();
  await delay(UNDER_WAY_MS);
  const shares = beside.map(({ p99 }, at) => p99 / allowed(quiet[at]?.p99 ?? NaN));
  return {
    name,
    unit: 'ratio',
    target: { atMost: 1 },
    value: spreadOf([Math.max(...shares)]),
    service: describe(beside),
    reference: describe(quiet),
  };
}

function allowed(quietMs: number): number {
  return Math.max(ALWAYS_GOOD_MS, WORSE_AT_MOST * quietMs);
}

interface Timed {
  readonly name: string;
  /** Not a number where one failed. */
  readonly p99: number;
  readonly failure?: string;
}

async function timeAll(bench: Bench, { service }: Setting, deeds: readonly Deed[]): Promise<Timed[]> {
  const times: Timed[] = [];
  for (const { name, requests, status } of deeds) {
    const job = { port: service.port, requests, connections: CONNECTIONS, durationMs: DURATION_MS };
    times.push(
      await bench.load.run({ ...job, expectStatus: status }).then(
        ({ latency }) => ({ name, p99: latency.p99 }),
        (error: unknown) => ({ name, p99: NaN, failure: String(error) }),
      ),
    );
  }
  return times;
}

function describe(times: readonly Timed[]): string {
  return times.map(({ name, p99, failure }) => `${name} ${failure ?? `${p99.toFixed(1)} ms`}`).join(', ');
}

async function prepareDeeds({ service, tenant }: Setting): Promise<Deed[]> {
  const storeId = await createStore(service, tenant, 'Quiet');
  const headers = { 'x-api-key': tenant.key };
  const intake = `/manage/v1/stores/${storeId}/orders`;
  const order = {
    customer: { name: 'Ada', phone: '+48 22 555 01 23' },
    items: [{ external_id: 'item-1', name: 'Soup', quantity: 1, price: 390, tax: 39, modifiers: [] }],
    price: 390,
    tax: 39,
    ready_by: '2026-11-16T12:00:00Z',
  };
  const { id } = await service.ask<{ id: string }>({ path: intake, key: tenant.key, body: order });
  const publish = [0, 1].map((edition) =>
    requestBytes({ method: 'POST', path: treePath(storeId), headers, body: menuJson(MENUS[50], edition) }),
  );
  const takeIn = requestBytes({ method: 'POST', path: intake, headers, body: JSON.stringify(order) });
  return [
    { name: 'reads', requests: [requestBytes({ path: `/v1/orders/${id}`, headers })], status: 200 },
    {
      name: 'lists',
      requests: [requestBytes({ path: `/v1/stores/${storeId}/orders/`, headers })],
      status: 200,
    },
    { name: 'publications', requests: publish, status: 200 },
    { name: 'orders', requests: [takeIn], status: 201 },
  ];
}
