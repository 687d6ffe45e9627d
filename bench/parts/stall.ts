import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore, type Tenant } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { startLoad } from '../measure/load.js';
import { requestBytes } from '../measure/request.js';
import { spreadOf } from '../measure/statistics.js';
import type { Service } from '../servers/service.js';
import { treePath } from './menu-bytes.js';
import { withService } from './setting.js';

const PROBE = new URL('../measure/stall-probe.js', import.meta.url).href;
const ROUNDS = 5;
const QUIET_MS = 3_000;
const POSTS_A_ROUND = 2;
const LONGEST_STALL_MS = 50;

export const stall: Part = {
  name: 'stall',
  title: 'Longest event-loop stall while 10,000-item menus are posted',
  short: 'Stall',
  notes: [
    'Measured inside the service (`perf_hooks.monitorEventLoopDelay`, 1 ms), while one connection posts and another reads a',
    'small menu. The reference is the same service with the small reads alone: what the machine itself adds.',
  ],
  run: (bench) => {
    const file = join(bench.folder, 'stall.json');
    return withService(bench, (setting) => measureStalls(bench, setting.service, setting.tenant, file), {
      env: { BENCH_STALL_FILE: file },
      nodeArgs: ['--import', PROBE],
    });
  },
};

async function measureStalls(
  bench: Bench,
  service: Service,
  tenant: Tenant,
  file: string,
): Promise<Figure[]> {
  const headers = { 'x-api-key': tenant.key };
  const [large, small] = await Promise.all(
    ['Large', 'Small'].map((name) => createStore(service, tenant, name)),
  );
  const editions = [0, 1].map((edition) => menuJson(MENUS[10000], edition));
  await service.ask({ path: treePath(small ?? ''), key: tenant.key, body: menuJson(MENUS[50]) });
  const posts = editions.map((body) =>
    requestBytes({ method: 'POST', path: treePath(large ?? ''), headers, body }),
  );
  const read = requestBytes({
    path: treePath(small ?? ''),
    headers: { ...headers, 'accept-encoding': 'gzip' },
  });
  const reader = startLoad();
  const reads = (durationMs: number, most?: number) =>
    reader.run({ port: service.port, requests: [read], connections: 1, durationMs, most, expectStatus: 200 });
  const post = () => {
    const job = {
      requests: posts,
      connections: 1,
      durationMs: 120_000,
      most: POSTS_A_ROUND,
      expectStatus: 200,
    };
    return bench.load.run({ port: service.port, ...job });
  };
  await post();
  const quiet: Stall[] = [];
  const busy: Stall[] = [];
  const postMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bench.step(`round ${round + 1} of ${ROUNDS}`);
    await readStall(service, file);
    await reads(QUIET_MS);
    quiet.push(await readStall(service, file));
    const posting = post();
    await reads(QUIET_MS);
    const { latency } = await posting;
    postMs.push(latency.median);
    busy.push(await readStall(service, file));
  }
  reader.stop();
  const longest = busy.map(({ maxMs }) => maxMs);
  return [
    {
      name: `longest of ${ROUNDS} rounds, ${POSTS_A_ROUND} posts each`,
      unit: 'ms',
      target: { atMost: LONGEST_STALL_MS },
      value: { median: Math.max(...longest), low: Math.min(...longest), high: Math.max(...longest) },
      service: `${spreadOf(longest).median.toFixed(1)} ms median round; a post takes ${spreadOf(postMs).median.toFixed(0)} ms`,
      reference: `${spreadOf(quiet.map(({ maxMs }) => maxMs)).median.toFixed(1)} ms without posts`,
    },
  ];
}

interface Stall {
  readonly maxMs: number;
}

const NS_PER_MS = 1e6;

async function readStall(service: Service, file: string): Promise<Stall> {
  await rm(file, { force: true });
  service.signal('SIGUSR2');
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return { maxMs: (JSON.parse(text) as { max: number }).max / NS_PER_MS };
    await delay(5);
  }
}
