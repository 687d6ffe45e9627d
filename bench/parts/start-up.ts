import { join } from 'node:path';
import type { Bench, Part } from '../bench.js';
import type { Figure } from '../figure.js';
import { interleave } from '../measure/interleave.js';
import { ratios, spreadOf } from '../measure/statistics.js';
import { startLimit } from '../servers/limit-server.js';
import { startService } from '../servers/service.js';

const ROUNDS = 3;

export const startUp: Part = {
  name: 'start-up',
  title: 'Start-up',
  short: 'Start',
  notes: [
    'From the start of the process to its first possible answer. Reference: `bench/limits/bare-http.ts`.',
  ],
  run: async (bench) => {
    bench.step('starting and stopping');
    const database = await bench.postgres.createDatabase('bench_start_up');
    let folders = 0;
    const samples = await interleave(ROUNDS, {
      bare: () => startBare(),
      given: () => startOnce({ DATABASE_URL: database.url, COMANDA_DATA_DIR: bench.folder }),
      fresh: () => {
        folders += 1;
        return startOnce({ COMANDA_DATA_DIR: dataDir(bench, folders) });
      },
      again: () => startOnce({ COMANDA_DATA_DIR: dataDir(bench, 0) }),
    });
    const figure = (name: string, times: readonly number[]): Figure => ({
      name,
      unit: 'ratio',
      value: ratios(times, samples.bare),
      service: `${spreadOf(times).median.toFixed(0)} ms`,
      reference: `${spreadOf(samples.bare).median.toFixed(0)} ms`,
    });
    return [
      figure('with a database that is there', samples.given),
      figure('bundled PostgreSQL, existing data', samples.again),
      figure('bundled PostgreSQL, new data folder', samples.fresh),
    ];
  },
};

function dataDir(bench: Bench, number: number): string {
  return join(bench.folder, `start-up-${number}`);
}

async function startOnce(env: Readonly<Record<string, string>>): Promise<number> {
  const service = await startService(env);
  await service.stop();
  return service.startMs;
}

async function startBare(): Promise<number> {
  const limit = await startLimit('bare-http', { status: 204, headers: {} });
  await limit.stop();
  return limit.startMs;
}
