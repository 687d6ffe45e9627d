import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Part } from '../bench.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { openStream } from '../measure/event-stream.js';
import { cpuMs, residentMb } from '../measure/process-usage.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import type { Service } from '../servers/service.js';
import { pidsOf, withService, withServiceOn, type Setting } from './setting.js';
import { ORDER } from './writers.js';

const COLLECTING = [
  '--expose-gc',
  '--import',
  new URL('../measure/collect-garbage.js', import.meta.url).href,
];
const COLLECT_MS = 2_000;
const NEAR_ORDERS = 200;
const FAR_ORDERS = 40;
const STREAMS = 1_000;
const OPENED_AT_ONCE = 50;
const WARM_UP_MS = 3_000;
const ROUNDS = 3;
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
    'memory that they add to a process that is warm (what is held, after garbage was collected), the connections to the database that they add, and the processor time that an',
    'event costs.',
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
      const many: Many[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        many.push(await withService(bench, (fresh) => measureMany(bench, fresh), { nodeArgs: COLLECTING }));
      return [near, far, ...describeMany(many)];
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

/** What a process and its database are like with one stream, and with all of them. */
interface Many {
  readonly one: Measured;
  readonly all: Measured;
}

interface Measured {
  readonly costMs: number;
  readonly memoryMb: number;
  /** The same before garbage was collected. */
  readonly untidyMb: number;
  readonly connections: number;
}

async function measureMany(bench: Bench, { service, tenant, database }: Setting): Promise<Many> {
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
  await warmUp(bench, service, `/manage/v1/stores/${store}/events?limit=1`, tenant.key);
  const streams = [await open()];
  const tell = async () => {
    const wanted = told + TOLD_ORDERS * streams.length;
    const before = (await cpuMs(pids)) ?? NaN;
    for (let count = 0; count < TOLD_ORDERS; count += 1) await takeIn(service, store, tenant.key);
    while (told < wanted) await delay(5);
    return (((await cpuMs(pids)) ?? NaN) - before) / TOLD_ORDERS;
  };
  const memoryMb = async () => (await residentMb(service.pid))?.now ?? NaN;
  const measure = async (): Promise<Measured> => {
    const costMs = await tell();
    const untidyMb = await memoryMb();
    service.signal('SIGUSR2');
    await delay(COLLECT_MS);
    return { costMs, untidyMb, memoryMb: await memoryMb(), connections: await connections() };
  };
  const one = await measure();
  while (streams.length < STREAMS) {
    bench.step(`${streams.length} of ${STREAMS} streams`);
    const more = Math.min(OPENED_AT_ONCE, STREAMS - streams.length);
    streams.push(...(await Promise.all(Array.from({ length: more }, open))));
  }
  const all = await measure();
  for (const stream of streams) stream.close();
  return { one, all };
}

function describeMany(rounds: readonly Many[]): Figure[] {
  const name = `${STREAMS.toLocaleString('en')} streams`;
  const median = (of: (round: Many) => number) => spreadOf(rounds.map(of)).median;
  const perStream = median(({ one, all }) => ((all.costMs - one.costMs) * 1000) / STREAMS);
  return [
    {
      name: `${name}: memory that they add`,
      unit: 'MB',
      target: { atMost: STREAMS_MB },
      value: spreadOf(rounds.map(({ one, all }) => all.memoryMb - one.memoryMb)),
      service: describeMemory(
        median(({ all }) => all.memoryMb),
        median(({ all }) => all.untidyMb),
      ),
      reference: `with one ${describeMemory(
        median(({ one }) => one.memoryMb),
        median(({ one }) => one.untidyMb),
      )}`,
    },
    {
      name: `${name}: connections to the database that they add`,
      unit: 'count',
      target: { atMost: 0 },
      value: spreadOf(rounds.map(({ one, all }) => Math.max(0, all.connections - one.connections))),
      service: `${median(({ all }) => all.connections)} connections`,
      reference: `${median(({ one }) => one.connections)} with one`,
    },
    {
      name: `${name}: processor time of an order and its event`,
      unit: 'ms',
      value: spreadOf(rounds.map(({ all }) => all.costMs)),
      service: `${perStream.toFixed(1)} µs a stream`,
      reference: `${median(({ one }) => one.costMs).toFixed(1)} ms with one stream`,
    },
  ];
}

function describeMemory(tidy: number, untidy: number): string {
  return `${Math.round(tidy)} MB, ${Math.round(untidy)} MB with garbage`;
}

/** A process that has served for a while: its heap and its pool of connections have grown as far as they will. */
async function warmUp(bench: Bench, { port }: Service, path: string, key: string): Promise<void> {
  const requests = [requestBytes({ path, headers: { 'x-api-key': key } })];
  await bench.load.run({
    port,
    requests,
    connections: OPENED_AT_ONCE,
    durationMs: WARM_UP_MS,
    expectStatus: 200,
  });
}

function takeIn(service: Service, store: string, key: string): Promise<{ id: string }> {
  return service.ask({ path: `/manage/v1/stores/${store}/orders`, key, body: ORDER });
}
