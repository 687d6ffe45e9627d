import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Part } from '../bench.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { openStream } from '../measure/event-stream.js';
import { cpuMs, residentMb } from '../measure/process-usage.js';
import { spreadOf } from '../measure/statistics.js';
import type { Service } from '../servers/service.js';
import { pidsOf, withService, withServiceOn, type Setting } from './setting.js';
import { ORDER } from './writers.js';

const NEAR_ORDERS = 200;
const FAR_ORDERS = 40;
const STREAMS = 1_000;
const OPENED_AT_ONCE = 50;
const TOLD_ORDERS = 50;
const NEAR_MS = 20;
const FAR_MS = 700;
const STREAMS_MB = 60;

export const eventStreams: Part = {
  name: 'event-streams',
  title: 'Live streams',
  short: 'Streams',
  notes: [
    'The time from the answer to an order until its event has arrived on a stream: of the process that took the order in, and of another',
    `on the same database, which looks twice a second. Then ${STREAMS.toLocaleString('en')} streams of one store on one process: the`,
    'memory that they add, the connections to the database that they add, and the processor time that an event costs.',
  ],
  run: (bench) =>
    withService(bench, async (setting) => {
      const near = await measureDelay(bench, 'in the same process', setting, setting.service, {
        orders: NEAR_ORDERS,
        atMost: NEAR_MS,
      });
      const far = await withServiceOn(bench, setting.database, {}, (other) =>
        measureDelay(bench, 'in another process', setting, other, { orders: FAR_ORDERS, atMost: FAR_MS }),
      );
      return [near, far, ...(await measureMany(bench, setting))];
    }),
};

async function measureDelay(
  bench: Bench,
  name: string,
  { service, tenant }: Setting,
  reader: Service,
  { orders, atMost }: { readonly orders: number; readonly atMost: number },
): Promise<Figure> {
  bench.step(`an event ${name}`);
  const store = await createStore(service, tenant, name);
  const arrived = new Map<string, number>();
  const path = `/manage/v1/stores/${store}/events/stream`;
  const stream = await openStream(reader.port, path, tenant.key, (at, data) => {
    arrived.set((JSON.parse(data) as { data: { order_id: string } }).data.order_id, at);
  });
  const delays: number[] = [];
  for (let count = 0; count < orders; count += 1) {
    const { id } = await takeIn(service, store, tenant.key);
    const answered = performance.now();
    while (!arrived.has(id)) await delay(1);
    // An event may be faster than the answer.
    delays.push(Math.max(0, (arrived.get(id) ?? 0) - answered));
    // Not always at the same moment between two looks.
    await delay(Math.random() * 20);
  }
  stream.close();
  const value = spreadOf(delays);
  const words = `${orders} orders, the slowest ${value.high.toFixed(1)} ms`;
  return { name: `an event ${name}`, unit: 'ms', target: { atMost }, value, service: words, reference: '' };
}

async function measureMany(bench: Bench, { service, tenant, database }: Setting): Promise<Figure[]> {
  const store = await createStore(service, tenant, 'Watched');
  const path = `/manage/v1/stores/${store}/events/stream`;
  const pids = await pidsOf(service);
  const connections = async () => {
    const [row] = await database.query<{ count: string }>(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return Number(row?.count);
  };
  let told = 0;
  const open = () => openStream(service.port, path, tenant.key, () => (told += 1));
  // Keys of new streams are checked at once: the pool has grown as far as it will before anything is compared.
  const passing = await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
  for (const stream of passing) stream.close();
  const streams = [await open()];
  const tell = async () => {
    const wanted = told + TOLD_ORDERS * streams.length;
    const before = (await cpuMs(pids)) ?? NaN;
    for (let count = 0; count < TOLD_ORDERS; count += 1) await takeIn(service, store, tenant.key);
    while (told < wanted) await delay(5);
    return (((await cpuMs(pids)) ?? NaN) - before) / TOLD_ORDERS;
  };
  const costOfOne = await tell();
  const [memoryBefore, connectionsBefore] = [await residentMb(service.pid), await connections()];
  while (streams.length < STREAMS) {
    bench.step(`${streams.length} of ${STREAMS} streams`);
    const more = Math.min(OPENED_AT_ONCE, STREAMS - streams.length);
    streams.push(...(await Promise.all(Array.from({ length: more }, open))));
  }
  const costOfAll = await tell();
  const [memoryAfter, connectionsAfter] = [await residentMb(service.pid), await connections()];
  for (const stream of streams) stream.close();
  const many = `${STREAMS.toLocaleString('en')} streams`;
  const [before, after] = [memoryBefore?.now ?? NaN, memoryAfter?.now ?? NaN];
  return [
    {
      name: `${many}: memory that they add`,
      unit: 'MB',
      target: { atMost: STREAMS_MB },
      value: spreadOf([after - before]),
      service: `${Math.round(after)} MB`,
      reference: `${Math.round(before)} MB with one`,
    },
    {
      name: `${many}: connections to the database that they add`,
      unit: 'count',
      target: { atMost: 0 },
      value: spreadOf([Math.max(0, connectionsAfter - connectionsBefore)]),
      service: `${connectionsAfter} connections`,
      reference: `${connectionsBefore} with one`,
    },
    {
      name: `${many}: processor time of an order and its event`,
      unit: 'ms',
      value: spreadOf([costOfAll]),
      service: `${((costOfAll - costOfOne) / (STREAMS / 1000)).toFixed(1)} µs a stream`,
      reference: `${costOfOne.toFixed(1)} ms with one stream`,
    },
  ];
}

function takeIn(service: Service, store: string, key: string): Promise<{ id: string }> {
  return service.ask({ path: `/manage/v1/stores/${store}/orders`, key, body: ORDER });
}
