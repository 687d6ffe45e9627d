import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Part, Spread } from '../bench.js';
import { spreadOf } from '../measure/compare.js';
import type { BenchPostgres } from '../servers/postgres.js';
import { startReference, type Server } from '../servers/programs.js';
import { createStore } from '../servers/service.js';

const PRINTERS = 500;
/** As many as a store may have. */
const PRINTERS_A_STORE = 50;
const POLL_MS = 3_000;
const ROUNDS = 3;
const ROUND_MS = 12_000;
const IDLE_MS = 6_000;
const STATUS = JSON.stringify({
  status: '23 6 0 0 0 0 0 0 0',
  printerMAC: '00:11:62:00:00:01',
  statusCode: '200%20OK',
});

export const printers: Part = {
  name: 'printers',
  title: 'Printers that ask for tickets',
  notes: `${PRINTERS} printers that post their status every ${POLL_MS / 1_000} seconds and get no job, ${PRINTERS_A_STORE} of them in each store: the CPU time that a
second of it adds to that of an idle service, so 50 ms are 5 % of a core. Three printers in twenty write down with such a poll that they are there.
Reference: \`bench/references/bare-http.ts\`, which answers the same polls and looks nothing up.`,
  run: async (bench) => {
    const setting = await bench.own();
    const { service } = setting;
    const paths: string[] = [];
    while (paths.length < PRINTERS) {
      const storeId = await createStore(setting);
      for (let nth = 0; nth < PRINTERS_A_STORE; nth += 1) {
        const body = { label: `${nth}`, protocol: 'cloudprnt' };
        const made = await service.ask<{ url: string }>(`/manage/v1/stores/${storeId}/printers`, { body });
        paths.push(new URL(made.url).pathname);
      }
    }
    const bare = await startReference('bare-http', { status: 200, headers: { 'content-length': '0' } });
    const [ofBare] = await measurePolls(bench.postgres, bare, paths);
    await bare.stop();
    const [own, postgres] = await measurePolls(bench.postgres, service, paths);
    const about = { service: `${Math.round(PRINTERS / (POLL_MS / 1000))} polls a second` };
    const reference = `${Math.round(ofBare.median)} ms`;
    return [
      { name: `${PRINTERS} printers, the service`, unit: 'ms', value: own, ...about, reference },
      { name: `${PRINTERS} printers, PostgreSQL`, unit: 'ms', value: postgres, ...about, reference: '' },
    ];
  },
};

/** The CPU time that a second of polls adds to what a server, and PostgreSQL beside it, uses without. */
async function measurePolls(
  postgres: BenchPostgres,
  server: Server,
  paths: readonly string[],
): Promise<[server: Spread, postgres: Spread]> {
  const agent = new Agent({ keepAlive: true });
  const stopping = new AbortController();
  const poll = async (path: string, nth: number) => {
    await delay((nth * POLL_MS) / PRINTERS);
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      const sent = request({ port: server.port, path, method: 'POST', agent }).end(STATUS);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      if (response.statusCode !== 200) throw new Error(`A poll got ${response.statusCode}`);
      await once(response.resume(), 'end');
      await delay(Math.max(0, POLL_MS - (performance.now() - begun)));
    }
  };
  const measure = async (ms: number): Promise<[number, number]> => {
    const before = [server.cpuMs(), postgres.cpuMs(), performance.now()] as const;
    await delay(ms);
    const seconds = (performance.now() - before[2]) / 1000;
    return [(server.cpuMs() - before[0]) / seconds, (postgres.cpuMs() - before[1]) / seconds];
  };
  const idle = await measure(IDLE_MS);
  const polling = Promise.all(paths.map(poll));
  await Promise.race([polling, delay(2 * POLL_MS)]);
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(ROUND_MS));
  stopping.abort();
  await polling;
  agent.destroy();
  return [
    spreadOf(rounds.map(([ofServer]) => ofServer - idle[0])),
    spreadOf(rounds.map(([, ofPostgres]) => ofPostgres - idle[1])),
  ];
}
