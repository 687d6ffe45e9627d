import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Part } from '../bench.js';
import { spreadOf } from '../measure/compare.js';
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
second of it adds to that of an idle service, so 50 ms are 5 % of a core. Three printers in twenty write down with such a poll that they are there.`,
  run: async (bench) => {
    const setting = await bench.own();
    const { service } = setting;
    const agent = new Agent({ keepAlive: true });
    const paths: string[] = [];
    while (paths.length < PRINTERS) {
      const storeId = await createStore(setting);
      for (let nth = 0; nth < PRINTERS_A_STORE; nth += 1) {
        const body = { label: `${nth}`, protocol: 'cloudprnt' };
        const made = await service.ask<{ url: string }>(`/manage/v1/stores/${storeId}/printers`, { body });
        paths.push(new URL(made.url).pathname);
      }
    }
    const stopping = new AbortController();
    const poll = async (path: string, nth: number) => {
      await delay((nth * POLL_MS) / PRINTERS);
      while (!stopping.signal.aborted) {
        const begun = performance.now();
        const sent = request({ port: service.port, path, method: 'POST', agent }).end(STATUS);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        if (response.statusCode !== 200) throw new Error(`A poll got ${response.statusCode}`);
        await once(response.resume(), 'end');
        await delay(Math.max(0, POLL_MS - (performance.now() - begun)));
      }
    };
    /** CPU time of a second, of the service and of PostgreSQL. */
    const measure = async (ms: number): Promise<[number, number]> => {
      const before = [service.cpuMs(), bench.postgres.cpuMs(), performance.now()] as const;
      await delay(ms);
      const seconds = (performance.now() - before[2]) / 1000;
      return [(service.cpuMs() - before[0]) / seconds, (bench.postgres.cpuMs() - before[1]) / seconds];
    };
    const idle = await measure(IDLE_MS);
    const polling = Promise.all(paths.map(poll));
    await Promise.race([polling, delay(2 * POLL_MS)]);
    const [own, postgres]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ofService, ofPostgres] = await measure(ROUND_MS);
      own.push(ofService - idle[0]);
      postgres.push(ofPostgres - idle[1]);
    }
    stopping.abort();
    await polling;
    agent.destroy();
    const about = { service: `${Math.round(PRINTERS / (POLL_MS / 1000))} polls a second`, reference: '' };
    return [
      { name: `${PRINTERS} printers, the service`, unit: 'ms', value: spreadOf(own), ...about },
      { name: `${PRINTERS} printers, PostgreSQL`, unit: 'ms', value: spreadOf(postgres), ...about },
    ];
  },
};
