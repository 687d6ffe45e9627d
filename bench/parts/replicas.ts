import type { Bench, Part } from '../bench.js';
import { menuJson, MENUS } from '../data/menus.js';
import { createStore, createTenant } from '../data/tenant.js';
import type { Figure } from '../figure.js';
import { readRaw } from '../measure/read-raw.js';
import { spreadOf } from '../measure/statistics.js';
import type { Service } from '../servers/service.js';
import { treePath } from './menu-bytes.js';
import { withService, withServiceOn, type Setting } from './setting.js';

const POSTS = 60;
const REVOCATIONS = 30;
const READS_AT_ONCE = 8;

export const replicas: Part = {
  name: 'replicas',
  title: 'Freshness across replicas and workers',
  short: 'Freshness',
  notes: [
    'A menu is posted to one process; as soon as the POST is answered it is read from another (or, in a cluster of two workers,',
    `on ${READS_AT_ONCE} new connections at once). A key is revoked on one and used on the other. Each read that still sees the past`,
    'counts. The time is that of the first read after a POST, against a second read of the same bytes.',
  ],
  run: (bench) =>
    withService(bench, async (first) => {
      const apart = await withServiceOn(bench, first.database, {}, (second) =>
        measureFreshness(bench, 'two replicas', first, second),
      );
      const cluster = await withServiceOn(bench, first.database, { COMANDA_WORKERS: '2' }, (workers) =>
        measureFreshness(bench, 'two workers', { ...first, service: workers }, workers),
      );
      return [...apart, ...cluster];
    }),
};

async function measureFreshness(
  bench: Bench,
  name: string,
  { service: writer, tenant }: Setting,
  reader: Service,
): Promise<Figure[]> {
  bench.step(name);
  const path = treePath(await createStore(writer, tenant, name));
  const first: number[] = [];
  const second: number[] = [];
  let stale = 0;
  for (let edition = 0; edition < POSTS; edition += 1) {
    const body = menuJson(MENUS[50], edition);
    const posted = await writer.ask<unknown>({ path, key: tenant.key, body });
    const reads = Array.from({ length: READS_AT_ONCE }, () => timedRead(reader, path, tenant.key));
    const fresh = await Promise.all(reads);
    stale += fresh.filter((read) => read.text !== JSON.stringify(posted)).length;
    first.push(...fresh.map(({ ms }) => ms));
    const again = Array.from({ length: READS_AT_ONCE }, () => timedRead(reader, path, tenant.key));
    second.push(...(await Promise.all(again)).map(({ ms }) => ms));
  }
  const admitted = await countAdmitted(writer, reader);
  const [firstMs, secondMs] = [spreadOf(first).median, spreadOf(second).median];
  return [
    {
      name: `${name}: stale reads of ${POSTS * READS_AT_ONCE}`,
      unit: 'count',
      target: { atMost: 0 },
      value: spreadOf([stale]),
      service: `first read ${firstMs.toFixed(1)} ms`,
      reference: `second read ${secondMs.toFixed(1)} ms`,
    },
    {
      name: `${name}: revoked keys let in, of ${REVOCATIONS * READS_AT_ONCE}`,
      unit: 'count',
      target: { atMost: 0 },
      value: spreadOf([admitted]),
      service: 'read right after the revocation was answered',
      reference: '',
    },
  ];
}

async function timedRead(reader: Service, path: string, key: string): Promise<{ text: string; ms: number }> {
  const begun = performance.now();
  const { body } = await readRaw(reader.port, path, { 'x-api-key': key, connection: 'close' });
  return { text: body.toString(), ms: performance.now() - begun };
}

async function countAdmitted(writer: Service, reader: Service): Promise<number> {
  let admitted = 0;
  for (let at = 0; at < REVOCATIONS; at += 1) {
    const { key, keyId } = await createTenant(writer);
    const use = () => readRaw(reader.port, '/v1/stores/', { 'x-api-key': key, connection: 'close' });
    if ((await use()).status !== 200) throw new Error('A new key was refused');
    await writer.ask({ path: `/manage/v1/keys/${keyId}`, method: 'DELETE' });
    const answers = await Promise.all(Array.from({ length: READS_AT_ONCE }, use));
    admitted += answers.filter(({ status }) => status !== 401).length;
  }
  return admitted;
}
