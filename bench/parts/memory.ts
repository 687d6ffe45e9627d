import type { Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { requestBytes } from '../measure/load.js';
import { count, spreadOf } from '../measure/compare.js';
import { publishMenu, treePath } from '../servers/service.js';

const STORES = 1_000;
const AT_ONCE = 4;

export const memory: Part = {
  name: 'memory',
  title: 'Memory after 1,000 stores',
  notes: `Resident memory of one process after it has published and served ${count(STORES)} stores of 250 items each; every tree is read
uncompressed and as gzip. The reference is the same process before the first of them.`,
  run: async (bench) => {
    const setting = await bench.own();
    const { service, tenant } = setting;
    const body = menuJson(MENUS[250]);
    const before = await service.residentMb();
    const paths: string[] = [];
    const publishStores = async () => {
      while (paths.length < STORES) paths.push(treePath(await publishMenu(setting, body)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, publishStores));
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'x-api-key': tenant.key, 'accept-encoding': coding };
      const requests = paths.map((path) => requestBytes({ path, headers }));
      const job = { requests, connections: AT_ONCE, durationMs: 120_000, most: requests.length };
      await bench.load.run({ port: service.port, ...job });
    }
    const after = await service.residentMb();
    const name = `resident, ${count(STORES)} stores of 250 items`;
    const words = { service: '', reference: `${Math.round(before)} MB at the start` };
    return [{ name, unit: 'MB', value: spreadOf([after]), ...words }];
  },
};
