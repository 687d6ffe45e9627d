import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { spreadOf } from '../measure/compare.js';
import { requestBytes, startLoad } from '../measure/load.js';
import { createStore, publishMenu, treePath } from '../servers/service.js';

const PROBE = new URL('../measure/service-probe.js', import.meta.url).href;
const ROUNDS = 3;
const READ_MS = 1_500;
const POSTS_PER_ROUND = 2;

export const stall: Part = {
  name: 'stall',
  title: 'Longest event-loop stall while 10,000-item menus are posted',
  notes: `The longest of ${ROUNDS} rounds, ${POSTS_PER_ROUND} posts each, measured inside the service (\`perf_hooks.monitorEventLoopDelay\`, 1 ms) while one connection
posts and another reads a small menu. The reference is the same service with the small reads alone: what the machine itself adds.`,
  run: async (bench) => {
    const file = join(bench.folder, 'stall.json');
    const setting = await bench.own({ env: { BENCH_STALL_FILE: file }, nodeArgs: ['--import', PROBE] });
    const { service, tenant } = setting;
    const { port } = service;
    const headers = { 'x-api-key': tenant.key };
    const small = treePath(await publishMenu(setting, menuJson(MENUS[50])));
    const large = treePath(await createStore(setting));
    const reads = [requestBytes({ path: small, headers: { ...headers, 'accept-encoding': 'gzip' } })];
    const posts = [0, 1].map((edition) =>
      requestBytes({ path: large, headers, body: menuJson(MENUS[10000], edition) }),
    );
    const reader = startLoad();
    const readSmall = () => reader.run({ port, requests: reads, connections: 1, durationMs: READ_MS });
    const postLarge = () =>
      bench.load.run({ port, requests: posts, connections: 1, durationMs: 120_000, most: POSTS_PER_ROUND });
    /** The longest stall in milliseconds since the last call. */
    const readStall = async (): Promise<number> => {
      await rm(file, { force: true });
      service.signal('SIGUSR2');
      for (;;) {
        const text = await readFile(file, 'utf8').catch(() => '');
        if (text !== '') return Number(text);
        await delay(5);
      }
    };

    await postLarge();
    const quiet: number[] = [];
    const busy: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await readStall();
      await readSmall();
      quiet.push(await readStall());
      await Promise.all([postLarge(), readSmall()]);
      busy.push(await readStall());
    }
    await reader.stop();
    const value = { ...spreadOf(busy), median: Math.max(...busy) };
    const describe = (stalls: readonly number[]) => `median round ${spreadOf(stalls).median.toFixed(1)} ms`;
    return [
      { name: 'longest stall', unit: 'ms', value, service: describe(busy), reference: describe(quiet) },
    ];
  },
};
