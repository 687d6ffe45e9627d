import type { Part, Bench } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore } from '../data/tenant.js';
import type { Figure, Target } from '../figure.js';
import { compareRates } from '../measure/compare.js';
import { prepareRead, treePath, type Form } from './menu-bytes.js';
import { pidsOf, withService, type Setting } from './setting.js';

const TARGETS: Partial<Record<Form, Target>> = {
  identity: { atLeast: 0.9 },
  gzip: { atLeast: 0.55 },
  'not modified': { atLeast: 0.45 },
};
const FORMS: readonly Form[] = ['identity', 'gzip', 'not modified'];
const CONNECTIONS = [1, 16, 64];
/** A figure that is held against a target must not hang on a moment's noise; the others only show the way. */
const WITH_TARGET = { rounds: 17, durationMs: 500 };
const WITHOUT = { rounds: 3 };
/** The load at which a figure is held against its target; the others are shown beside it. */
const TARGET_CONNECTIONS = 64;

export const tree: Part = {
  name: 'tree',
  title: 'GET menu tree',
  short: 'Tree',
  notes: [
    'Reference: `bench/limits/bare-http.ts`, a bare `node:http` server that sends the same bytes with the same headers.',
    `The target is held at ${TARGET_CONNECTIONS} connections. Every read of the service first asks the database whether key and`,
    'menu are still current, all waiting requests together; with one connection that round trip is the whole difference.',
  ],
  run: (bench) =>
    withService(bench, async (setting) => {
      const figures: Figure[] = [];
      for (const form of FORMS) figures.push(...(await measureForm(bench, setting, 250, form, CONNECTIONS)));
      figures.push(...(await measureForm(bench, setting, 250, 'br', [16])));
      for (const items of [50, 1000] as const) {
        figures.push(...(await measureForm(bench, setting, items, 'gzip', [16])));
      }
      return figures;
    }),
};

async function measureForm(
  bench: Bench,
  { service, tenant }: Setting,
  items: keyof typeof MENUS,
  form: Form,
  connections: readonly number[],
): Promise<Figure[]> {
  bench.step(`publishing ${items} items`);
  const storeId = await createStore(service, tenant, `${items} items, ${form}`);
  await service.ask({ path: treePath(storeId), key: tenant.key, body: menuJson(MENUS[items]) });
  const read = await prepareRead(bench, service, tenant, storeId, form);
  const pids = await pidsOf(service);
  const figures: Figure[] = [];
  for (const count of connections) {
    const target = items === 250 && count === TARGET_CONNECTIONS ? TARGETS[form] : undefined;
    figures.push(
      await compareRates(bench, {
        name: `${items} items, ${describeForm(form, read.bytes)}, ${count} connection${count === 1 ? '' : 's'}`,
        service: { port: service.port, pids, requests: [read.request] },
        reference: { port: read.limit.port, pids: [read.limit.pid], requests: [read.request] },
        connections: count,
        expectStatus: read.status,
        target,
        ...(target === undefined ? WITHOUT : WITH_TARGET),
      }),
    );
  }
  await read.limit.stop();
  return figures;
}

function describeForm(form: Form, bytes: number): string {
  return form === 'not modified' ? '304' : `${form} (${(bytes / 1e6).toFixed(2)} MB)`;
}
