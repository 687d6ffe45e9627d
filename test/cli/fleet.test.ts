import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeCellNumbers } from '../../src/postgres/cell-numbers.js';
import { newUuidV7 } from '../../src/support/uuid.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { useService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';
import { makeTestFolder } from '../harness/test-folder.js';
import { comanda } from './command-line.js';

const folder = makeTestFolder();
const service = await useService();
const elsewhere = await useService();
await takeCellNumbers(elsewhere.db, 3);

const on = ({ url, operatorKey }: Service, ...words: string[]) =>
  comanda([...words, '--url', url, '--key', operatorKey]);

const change = (storeId: string, body: object) =>
  ask(`${service.url}/manage/v1/stores/${storeId}`, { method: 'PATCH', key: service.operatorKey, body });

it('lists what was changed, and prints changes as they happen', async () => {
  const { storeId } = await createTenant(service);
  await change(storeId, { city: 'Porto', external_id: 'porto' });
  await change(storeId, { city: null });
  const listed = await on(service, 'audit', 'list', '--store', 'porto', '--type', 'store.changed');
  expect(listed.code).toBe(0);
  expect(listed.out).toContain('store.changed');
  expect(listed.out).toContain('city: "Porto"\t');
  expect(listed.out).toContain('city: "Porto" -> null');
  const tail = on(service, 'audit', 'tail', '--store', storeId, '--count', '1', '--json');
  const told = { is: false };
  void tail.then(() => (told.is = true));
  // The tail begins at some moment: changes go on until it has told one.
  for (let i = 0; !told.is; i += 1) {
    await change(storeId, { city: `Lisboa ${i}` });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { out } = await tail;
  expect(JSON.parse(out)).toMatchObject({ type: 'store.changed', store_id: storeId, via: 'api' });
  expect((await on(service, 'audit', 'list', '--store', 'nowhere')).err).toContain('No store has the id');
});

it('prints a change that was begun before another and committed after it', async () => {
  const begun = Date.now();
  const append = (ms: number) =>
    service.db.query({
      name: 'test_append',
      text: `INSERT INTO audit_entries (id, at, via, type, subject) VALUES ($1, $2, 'api', 'test.late', 'x')`,
      values: [newUuidV7(ms), new Date(ms)],
    });
  await append(begun);
  const tail = on(service, 'audit', 'tail', '--type', 'test.late', '--count', '2');
  const told = { is: false };
  void tail.then(() => (told.is = true));
  for (let i = 1; !told.is; i += 1) {
    await append(begun - i);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await tail).out.trim().split('\n')).toHaveLength(2);
});

it('lists the stores that need somebody, and what each used', async () => {
  const tenant = await createTenant(service);
  await takeIn(service, tenant);
  const json = async (...words: string[]) =>
    JSON.parse((await on(service, ...words, '--merchant', tenant.merchantId, '--json')).out) as unknown;
  expect(await json('overview', '--need', 'attention')).toMatchObject([
    { store_id: tenant.storeId, waiting: 1 },
  ]);
  expect(await json('overview', '--need', 'paused')).toEqual([]);
  const month = new Date().toISOString().slice(0, 7);
  expect(await json('usage', '--month', month)).toMatchObject([{ store_id: tenant.storeId, orders: 1 }]);
});

it('makes a store like another, and carries a merchant elsewhere', async () => {
  const tenant = await createTenant(service);
  await change(tenant.storeId, { timezone: 'Europe/Lisbon' });
  const like = ['--like', tenant.storeId, '--menu', '--name', 'en=Second', '--json'];
  const made = await on(service, 'stores', 'create', '--merchant', tenant.merchantId, ...like);
  expect(JSON.parse(made.out)).toMatchObject({ timezone: 'Europe/Lisbon' });
  const file = join(folder, 'merchant.ndjson.gz');
  expect((await on(service, 'merchants', 'archive', tenant.merchantId, file)).code).toBe(0);
  const restored = await on(elsewhere, 'merchants', 'restore', file);
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('2 stores')]);
  expect((await on(elsewhere, 'merchants', 'restore', file)).code).toBe(7);
  const [one, other] = [
    await on(service, 'merchants', 'archive', tenant.merchantId),
    await on(elsewhere, 'merchants', 'archive', tenant.merchantId),
  ];
  expect(other.out).toBe(one.out);
});

it('never puts the copy of one move into use after another has taken the merchant elsewhere', async () => {
  const { merchantId } = await createTenant(service);
  const move = (at: Service, method = 'GET', body?: unknown) =>
    ask<{ state: string; until: string; position: string }>(
      `${at.url}/manage/v1/merchants/${merchantId}/move`,
      { method, key: at.operatorKey, body },
    );
  const { position } = (await move(service)).body;
  const archived = `${service.url}/manage/v1/merchants/${merchantId}/archive`;
  await ask(`${elsewhere.url}/manage/v1/merchants/restore?position=${position}`, {
    method: 'POST',
    key: elsewhere.operatorKey,
    body: (await ask(archived, { key: service.operatorKey })).body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { until } = (await move(service, 'PATCH', { state: 'refusing', seconds: 600 })).body;
  await move(service, 'PATCH', { state: 'moved', to: 'https://third.example', until });
  const there = ['--to', elsewhere.url, '--to-key', elsewhere.operatorKey];
  for (const more of [[], ['--give-up']])
    expect(await on(service, 'merchants', 'move', merchantId, ...there, ...more)).toMatchObject({
      code: 7,
      err: expect.stringContaining('has moved to https://third.example') as string,
    });
  expect((await move(elsewhere)).body.state).toBe('arriving');
  // The same place by another address.
  const named = [...there, '--address', 'https://third.example'];
  expect((await on(service, 'merchants', 'move', merchantId, ...named)).code).toBe(0);
  expect((await move(elsewhere)).body.state).toBe('here');
});

it('says which place refuses the key', async () => {
  const { merchantId, key } = await createTenant(service);
  const stranger = ['--to', elsewhere.url, '--to-key', key];
  expect(await on(service, 'merchants', 'move', merchantId, ...stranger)).toMatchObject({
    code: 4,
    err: expect.stringMatching(/The other place: 401 Invalid API key\. Give an operator key/) as string,
  });
});

it('removes no copy of a merchant that the old place is letting go, or has let go', async () => {
  const { merchantId, key } = await createTenant(service);
  const send = (at: Service, method: string, path: string, body?: unknown) =>
    ask<{ until: string; position: string }>(`${at.url}/manage/v1/merchants/${path}`, {
      method,
      key: at.operatorKey,
      body,
      headers: typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {},
    });
  const { body } = await send(service, 'GET', `${merchantId}/move`);
  const { body: archive } = await send(service, 'GET', `${merchantId}/archive`);
  await send(elsewhere, 'POST', `restore?position=${body.position}`, archive);
  const there = ['--to', elsewhere.url, '--to-key', elsewhere.operatorKey];
  const giveUp = () => on(service, 'merchants', 'move', merchantId, ...there, '--give-up');
  const refused = await send(service, 'PATCH', `${merchantId}/move`, { state: 'refusing', seconds: 600 });
  expect(await giveUp()).toMatchObject({
    code: 7,
    err: expect.stringContaining('Nothing was removed') as string,
  });
  const { until } = refused.body;
  await send(service, 'PATCH', `${merchantId}/move`, { state: 'moved', to: elsewhere.url, until });
  expect(await giveUp()).toMatchObject({
    code: 7,
    err: expect.stringContaining('without --give-up') as string,
  });
  for (const seconds of ['0', '601'])
    expect(await on(service, 'merchants', 'move', merchantId, ...there, '--within', seconds)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected 1 to 600 seconds') as string,
    });
  expect(await on(service, 'merchants', 'move', merchantId, ...there)).toMatchObject({
    code: 0,
    err: expect.stringContaining('If this is interrupted, run the same command again') as string,
  });
  expect((await ask(`${elsewhere.url}/v1/stores/`, { key })).status).toBe(200);
  const back = ['--to', service.url, '--to-key', service.operatorKey];
  expect(await on(elsewhere, 'merchants', 'move', merchantId, ...back)).toMatchObject({
    code: 7,
    err: expect.stringContaining('has moved away from there') as string,
  });
});
