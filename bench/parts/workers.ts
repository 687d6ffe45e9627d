import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { compareRates } from '../measure/compare.js';
import { prepareRead, treePath, type Form } from './menu-bytes.js';
import { pidsOf, withService, withServiceOn } from './setting.js';

const FORMS: readonly Form[] = ['gzip', 'not modified'];

export const workers: Part = {
  name: 'workers',
  title: 'Two workers against one process',
  short: 'Workers',
  notes: [
    'GET tree of 250 items with `COMANDA_WORKERS=2`, against the same with one process. The load generator and the database',
    'need their share of the same cores, so two workers on two cores cannot be twice as fast.',
  ],
  run: (bench) =>
    withService(bench, async ({ service, tenant, database }) => {
      const storeId = await createStore(service, tenant, 'Workers');
      await service.ask({ path: treePath(storeId), key: tenant.key, body: menuJson(MENUS[250]) });
      return withServiceOn(bench, database, { COMANDA_WORKERS: '2' }, async (cluster) => {
        const figures: Figure[] = [];
        for (const form of FORMS) {
          const { request, status, limit } = await prepareRead(bench, service, tenant, storeId, form);
          await limit.stop();
          figures.push(
            await compareRates(bench, {
              name: `${form === 'gzip' ? 'gzip' : '304'}, 64 connections`,
              service: { port: cluster.port, pids: await pidsOf(cluster), requests: [request] },
              reference: { port: service.port, pids: await pidsOf(service), requests: [request] },
              connections: 64,
              expectStatus: status,
            }),
          );
        }
        return figures;
      });
    }),
};
