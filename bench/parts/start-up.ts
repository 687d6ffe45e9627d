import { join } from 'node:path';
import type { Part } from '../bench.js';
import { interleave, ratioFigure } from '../measure/compare.js';
import { startReference } from '../servers/programs.js';
import { startService } from '../servers/service.js';

const ROUNDS = 2;

export const startUp: Part = {
  name: 'start-up',
  title: 'Start-up',
  notes: `From the start of the process until it can respond. Reference: \`bench/references/bare-http.ts\`.`,
  run: async (bench) => {
    const database = await bench.postgres.createDatabase();
    const start = async (env: Readonly<Record<string, string>>) => {
      const service = await startService({ env });
      await service.stop();
      return service.startMs;
    };
    let folders = 0;
    const folder = (i: number) => ({ COMANDA_DATA_DIR: join(bench.folder, `start-up-${i}`) });
    const { bare, given, existing, fresh } = await interleave(ROUNDS, {
      bare: async () => {
        const reference = await startReference('bare-http', { status: 204, headers: {} });
        await reference.stop();
        return reference.startMs;
      },
      given: () => start({ DATABASE_URL: database.url, ...folder(0) }),
      existing: () => start(folder(0)),
      fresh: () => start(folder((folders += 1))),
    });
    const figure = (name: string, times: readonly number[]) =>
      ratioFigure(name, times, bare, (ms) => `${ms.toFixed(0)} ms`);
    return [
      figure('with your own database', given),
      figure('bundled PostgreSQL, existing data', existing),
      figure('bundled PostgreSQL, new data folder', fresh),
    ];
  },
};
