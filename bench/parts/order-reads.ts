import type { Bench } from '../bench.js';
import type { Figure, Target } from '../figure.js';
import { compareRates } from '../measure/compare.js';
import { requestBytes } from '../measure/request.js';
import { startLimit } from '../servers/limit-server.js';
import { pidsOf, type Setting } from './setting.js';

const TARGETS: Readonly<Record<number, Target>> = { 1: { atLeast: 0.45 }, 64: { atLeast: 0.5 } };
const PAGES = 10;
const PAGE = 100;

export async function measureReads(bench: Bench, setting: Setting, storeId: string): Promise<Figure[]> {
  const { service, tenant, database } = setting;
  bench.step('GET order: preparing');
  const answers = await readAnswers(setting, storeId);
  await database.query('CREATE TABLE bench_rows (id uuid PRIMARY KEY, json text NOT NULL)');
  await database.query('INSERT INTO bench_rows SELECT * FROM unnest($1::uuid[], $2::text[])', [
    answers.map(({ id }) => id),
    answers.map((order) => JSON.stringify(order)),
  ]);
  const limit = await startLimit('bare-select', {
    connection: database.connection,
    text: 'SELECT bench_rows.json FROM bench_rows WHERE bench_rows.id = $1',
  });
  const requests = answers.map(({ id }) =>
    requestBytes({ path: `/v1/orders/${id}`, headers: { 'x-api-key': tenant.key } }),
  );
  const pids = await pidsOf(service);
  const figures: Figure[] = [];
  for (const connections of [1, 16, 64]) {
    figures.push(
      await compareRates(bench, {
        name: `GET order, ${connections} connection${connections === 1 ? '' : 's'}`,
        service: { port: service.port, pids, requests },
        reference: { port: limit.port, pids: [limit.pid], requests },
        connections,
        target: TARGETS[connections],
      }),
    );
  }
  await limit.stop();
  return figures;
}

/** A thousand orders from all over the store, each as the service answers it. */
async function readAnswers({ service, tenant }: Setting, storeId: string): Promise<{ id: string }[]> {
  const ids: string[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const path = `/v1/stores/${storeId}/orders/?page_size=${PAGE}&page_index=${page * 900}`;
    const { order_result_list: list } = await service.ask<{ order_result_list: { id: string }[] }>({
      path,
      key: tenant.key,
    });
    ids.push(...list.map(({ id }) => id));
  }
  return Promise.all(
    ids.map((id) => service.ask<{ id: string }>({ path: `/v1/orders/${id}`, key: tenant.key })),
  );
}
