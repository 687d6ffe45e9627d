import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Part } from '../bench.js';
import { importOrders, ORDER } from '../data/orders.js';
import { compareRates, count, spreadOf } from '../measure/compare.js';
import { requestBytes } from '../measure/load.js';
import { createStore, createTenant, OPERATOR_KEY, takeInOrder, type Setting } from '../servers/service.js';

const MANY = 5_000;
const FEW = 50;
/** Stores that are created at the same time. */
const AT_ONCE = 16;
const ORDERS = 60_000;
const ROUNDS = 5;
const MEGABYTES = 20;

export const fleet: Part = {
  name: 'fleet',
  title: 'Many stores, and the archive of a merchant',
  notes: `A page of ${FEW} stores of the overview, of a merchant with ${count(MANY)} stores, without a filter and with \`need=attention\`, which looks at 200.
Reference: the same of a merchant with ${FEW} stores. Archive: the time that ${MEGABYTES} MB take, of a merchant with ${count(ORDERS)} orders, read by one client.`,
  run: async (bench) => {
    const setting = await bench.own();
    const { service } = setting;
    const [many, few] = [await withStores(setting, MANY), await withStores(setting, FEW)];
    await setting.database.query('VACUUM ANALYZE');
    const reading = ({ tenant }: Setting, query: string) => ({
      server: service,
      requests: [
        requestBytes({ path: `/manage/v1/overview?${query}`, headers: { 'x-api-key': tenant.key } }),
      ],
    });
    const overviews = [];
    for (const [name, query] of [
      ['a page of the overview', `limit=${FEW}`],
      ['those that need attention', `limit=${FEW}&need=attention`],
    ] as const)
      overviews.push(
        await compareRates(bench, {
          name: `${name}, ${count(MANY)} stores against ${FEW}`,
          service: reading(many, query),
          reference: reading(few, query),
          connections: 4,
          expectStatus: 200,
        }),
      );
    const tenant = await createTenant(service);
    const storeId = await createStore({ ...setting, tenant });
    await importOrders(service, tenant.key, { storeId, count: ORDERS, seed: 1 });
    const perMegabyte: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      perMegabyte.push(await readArchive(setting, tenant.merchantId));
    const value = spreadOf(perMegabyte.map((ms) => ms * MEGABYTES));
    const rate = `${count((MEGABYTES * 1000) / value.median)} MB/s`;
    return [
      ...overviews,
      { name: `${MEGABYTES} MB of an archive`, unit: 'ms', value, service: rate, reference: '' },
    ];
  },
};

/** A merchant with so many stores, of which every tenth has an order that waits. */
async function withStores(setting: Setting, wanted: number): Promise<Setting> {
  const own = { ...setting, tenant: await createTenant(setting.service) };
  let made = 0;
  const create = async () => {
    while (made < wanted) {
      made += 1;
      const isWaiting = made % 10 === 0;
      const storeId = await createStore(own);
      if (isWaiting) await takeInOrder(own, storeId, ORDER);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  return own;
}

/** Milliseconds for each megabyte. */
async function readArchive({ service }: Setting, merchantId: string): Promise<number> {
  const path = `/manage/v1/merchants/${merchantId}/archive`;
  const begun = performance.now();
  const sent = get({ port: service.port, path, headers: { 'x-api-key': OPERATOR_KEY } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The archive got ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return (performance.now() - begun) / (bytes / 1e6);
}
