import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure, Target } from '../figure.js';
import { interleave } from '../measure/interleave.js';
import { cpuMs, treeCpuMs } from '../measure/process-usage.js';
import { readRaw } from '../measure/read-raw.js';
import { requestBytes } from '../measure/request.js';
import { ratios, spreadOf } from '../measure/statistics.js';
import { treePath } from './menu-bytes.js';
import { pidsOf, withService, type Setting } from './setting.js';

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

const ROUNDS = 7;
const POSTS_A_ROUND = 4;
const LIMIT = fileURLToPath(new URL('../limits/json-round-trip.js', import.meta.url));

export const publish: Part = {
  name: 'publish',
  title: 'POST menu configuration',
  short: 'POST',
  notes: [
    'Each POST changes a price, so each is a new version; its time runs from the first byte sent to the last byte of the tree',
    'received. Reference: `bench/limits/json-round-trip.ts`, `JSON.parse` of the body plus `JSON.stringify` of its tree.',
  ],
  run: (bench) =>
    withService(bench, async (setting) => [
      await measurePosts(bench, setting, 250, undefined),
      await measurePosts(bench, setting, 1000, { atMost: 5 }),
    ]),
};

async function measurePosts(
  bench: Bench,
  setting: Setting,
  items: keyof typeof MENUS,
  target: Target | undefined,
): Promise<Figure> {
  const { service, tenant } = setting;
  const { modifierItems } = MENUS[items];
  const name = `${items.toLocaleString('en')} items, ${modifierItems.toLocaleString('en')} modifiers`;
  bench.step(name);
  const path = treePath(await createStore(service, tenant, name));
  const headers = { 'x-api-key': tenant.key };
  const editions = Array.from({ length: POSTS_A_ROUND + 1 }, (_, edition) => menuJson(MENUS[items], edition));
  await service.ask({ path, key: tenant.key, body: editions[0] });

  const limit = await startRoundTrip(
    bench,
    editions[0] ?? '',
    (await readRaw(service.port, path, headers)).body,
  );
  const requests = editions.map((body) => requestBytes({ method: 'POST', path, headers, body }));
  const pids = await pidsOf(service);
  let turn = 0;
  const post = async (): Promise<Cost & { databaseMs: number }> => {
    turn += 1;
    const usage = () => Promise.all([cpuMs(pids), treeCpuMs(bench.postgres.pid)]);
    const [before = NaN, databaseBefore = NaN] = await usage();
    // With one edition more than posts in a round, none is what is current already.
    const rotated = requests.map(
      (_, at) => requests[(at + turn * POSTS_A_ROUND) % requests.length] as Buffer,
    );
    const job = {
      requests: rotated,
      connections: 1,
      durationMs: 60_000,
      most: POSTS_A_ROUND,
      expectStatus: 200,
    };
    const { latency } = await bench.load.run({ port: service.port, ...job });
    const [after = NaN, databaseAfter = NaN] = await usage();
    return {
      ms: latency.median,
      cpuMs: (after - before) / POSTS_A_ROUND,
      databaseMs: (databaseAfter - databaseBefore) / POSTS_A_ROUND,
    };
  };
  const samples = await interleave(ROUNDS, { service: post, reference: () => roundTrip(limit) });
  limit.disconnect();
  const times = (costs: readonly Cost[]) => costs.map(({ ms }) => ms);
  const median = (costs: readonly number[]) => spreadOf(costs).median.toFixed(0);
  return {
    name,
    unit: 'ratio',
    target,
    value: ratios(times(samples.service), times(samples.reference)),
    service: `${median(times(samples.service))} ms, processor ${median(samples.service.map((cost) => cost.cpuMs))} ms + ${median(samples.service.map((cost) => cost.databaseMs))} ms database`,
    reference: `${median(times(samples.reference))} ms, processor ${median(samples.reference.map((cost) => cost.cpuMs))} ms`,
  };
}

async function startRoundTrip(bench: Bench, posted: string, tree: Uint8Array): Promise<ChildProcess> {
  const files = { body: join(bench.folder, 'posted.json'), tree: join(bench.folder, 'tree.json') };
  await writeFile(files.body, posted);
  await writeFile(files.tree, tree);
  return fork(LIMIT, [JSON.stringify(files)]);
}

async function roundTrip(limit: ChildProcess): Promise<Cost> {
  limit.send(POSTS_A_ROUND);
  const [cost] = (await once(limit, 'message')) as [Cost];
  return cost;
}
