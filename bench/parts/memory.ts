import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { readRaw } from '../measure/read-raw.js';
import { spreadOf } from '../measure/statistics.js';
import { residentMb } from '../measure/process-usage.js';
import { treePath } from './menu-bytes.js';
import { withService, type Setting } from './setting.js';

const STORES = 1_000;
const AT_ONCE = 4;

export const memory: Part = {
  name: 'memory',
  title: 'Memory after 1,000 stores',
  short: 'Memory',
  notes: [
    'Resident memory of the one process after it has published and served 1,000 stores of 250 items each: the tree is read',
    'uncompressed and as gzip. The reference is the same process before the first of them.',
  ],
  run: (bench) => withService(bench, (setting) => measureMemory(bench, setting)),
};

async function measureMemory(bench: Bench, { service, tenant }: Setting): Promise<Figure[]> {
  const body = menuJson(MENUS[250]);
  const before = await residentMb(service.pid);
  let next = 0;
  const serveStores = async () => {
    for (let at = next++; at < STORES; at = next++) {
      if (at % 10 === 0) bench.step(`store ${at} of ${STORES}`);
      const path = treePath(await createStore(service, tenant, `Store ${at}`));
      await service.ask({ path, key: tenant.key, body });
      for (const coding of ['identity', 'gzip']) {
        await readRaw(service.port, path, { 'x-api-key': tenant.key, 'accept-encoding': coding });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, serveStores));
  const after = await residentMb(service.pid);
  if (before === undefined || after === undefined) return [];
  return [
    {
      name: `resident, ${STORES.toLocaleString('en')} stores of 250 items`,
      unit: 'MB',
      target: { atMost: 400 },
      value: spreadOf([after.now]),
      service: `highest ${Math.round(after.highest)} MB`,
      reference: `${Math.round(before.now)} MB at the start`,
    },
  ];
}
