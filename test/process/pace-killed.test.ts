import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFeed } from '../harness/events.js';
import { takeIn } from '../harness/orders.js';
import { menuClient } from '../harness/menu.js';
import { startProcess, type ServiceProcess } from '../harness/process.js';
import { createDatabase, type Service } from '../harness/service.js';
import { asService, startProcessOn } from '../harness/service-process.js';
import { countSlots, orderAsSoonAs, orderFor, slotAhead, storeWithSlots } from '../harness/slots.js';
import { createTenant } from '../harness/tenant.js';

const { connection, drop } = await createDatabase();
afterAll(drop);

const MINUTE = 60_000;
const SLOT_MS = 15 * MINUTE;
const ORDERS_A_SLOT = 30;
const PATIENCE = { timeout: 60_000, interval: 100 };
const iso = (ms: number) => new Date(ms).toISOString();

const startSeveral = (count: number, start?: typeof startProcess) =>
  Promise.all(Array.from({ length: count }, () => startProcessOn(connection, {}, start)));

describe('each of four processes', () => {
  let processes: ServiceProcess[] = [];
  let services: [Service, ...Service[]];
  beforeAll(async () => {
    processes = await startSeveral(4, startProcess);
    services = processes.map(asService) as typeof services;
  });
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
  });

  it('gives each slot exactly its orders, whichever of them 200 guests reach at once', async () => {
    const tenant = await storeWithSlots(services[0], 10);
    const slot = slotAhead();
    const refusals = await Promise.all(
      Array.from({ length: 200 }, (_, i) => orderAsSoonAs(services[i % 4] ?? services[0], tenant, slot)),
    );
    expect(refusals.filter((count) => count > 0).length).toBeGreaterThanOrEqual(190);
    const { ordered, said } = await countSlots(services[0], tenant);
    expect(ordered).toEqual(Array.from({ length: 20 }, (_, i) => [iso(slot + i * SLOT_MS), 10]));
    expect(said).toEqual(ordered);
    expect(await orderAsSoonAs(services[0], tenant, slot)).toBe(1);
  }, 300_000);

  it('gives each of 200 orders at once a slot of its own, and its event', async () => {
    const tenant = await storeWithSlots(services[0], 1);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => orderFor(services[i % 4] ?? services[0], tenant)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const slots = answers
      .map(({ body }) => Math.floor(Date.parse(String(body['ready_by'])) / SLOT_MS))
      .sort();
    expect(slots).toEqual(slots.map((_, i) => (slots[0] ?? 0) + i));
    const { ordered } = await countSlots(services[0], tenant);
    expect(ordered).toEqual(slots.map((slot) => [iso(slot * SLOT_MS), 1]));
    const { events } = (await readFeed(services[0], tenant, { limit: '1000', types: 'order.created' })).body;
    expect(new Map(events.map(({ data }) => [data['order_id'], data['ready_by']]))).toEqual(
      new Map(answers.map(({ body }) => [body.id, body['ready_by']])),
    );
  }, 300_000);

  it('sells the last ten portions to ten of 200 who order at once, and tells the others that they are gone', async () => {
    const tenant = await storeWithSlots(services[0], 100);
    const menu = menuClient(services[0], tenant);
    await menu.manage('items/fries', { method: 'PATCH', body: { left: 10 } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => orderFor(services[i % 4] ?? services[0], tenant)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(190);
    for (const { status, body } of refused)
      expect([status, body.detail?.map(({ type }) => type)]).toEqual([422, ['sold_out']]);
    expect((await menu.manage('items/fries', { method: 'PATCH', body: {} })).body).toMatchObject({ left: 0 });
  }, 300_000);
});

it('gives slots, and nothing but slots, while a process is killed', async () => {
  const processes = await startSeveral(4);
  const services = processes.map(asService) as [Service, ...Service[]];
  const tenant = await storeWithSlots(services[0], 1);
  let taken = 0;
  const clients = Array.from({ length: 200 }, async (_, i) => {
    const answer = await orderFor(services[i % 4] ?? services[0], tenant).catch(() => undefined);
    taken += 1;
    return answer?.status;
  });
  await expect.poll(() => taken, PATIENCE).toBeGreaterThan(0);
  processes[3]?.child.kill('SIGKILL');
  const statuses = await Promise.all(clients);
  const living = statuses.filter((_, i) => i % 4 !== 3);
  expect(living).toEqual(living.map(() => 201));
  const { ordered } = await countSlots(services[0], tenant);
  expect(ordered.every(([, orders]) => orders === 1)).toBe(true);
  expect(ordered.length).toBeGreaterThanOrEqual(statuses.filter((status) => status === 201).length);
  expect((await orderFor(services[0], tenant)).status).toBe(201);
}, 300_000);

it('keeps slots exact when a process is killed while orders come in', async () => {
  const processes = await startSeveral(3);
  const services = processes.map(asService);
  const [first, last] = [services[0], services[2]] as [Service, Service];
  const tenant = await storeWithSlots(first, ORDERS_A_SLOT);
  const slot = slotAhead();
  let taken = 0;
  const fill = async (service: Service) => {
    for (;;) {
      const answer = await orderFor(service, tenant, slot + MINUTE).catch(() => undefined);
      if (answer?.status !== 201) return answer;
      taken += 1;
    }
  };
  const clients = Array.from({ length: 24 }, (_, i) => fill(services[i % 3] as Service));
  await expect.poll(() => taken, PATIENCE).toBeGreaterThanOrEqual(ORDERS_A_SLOT / 3);
  processes[0]?.child.kill('SIGKILL');
  const answers = await Promise.all(clients);

  const next = slot + SLOT_MS;
  for (const answer of answers.filter((_, i) => i % 3 !== 0))
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'slot_full', ctx: { next_at: iso(next) } }] },
    });
  const { ordered, said } = await countSlots(last, tenant);
  expect(ordered).toEqual([[iso(slot), ORDERS_A_SLOT]]);
  expect(said).toEqual(ordered);
  expect((await orderFor(last, tenant, next)).status).toBe(201);
}, 300_000);

it('tells of every late order once when a process is killed while it does so', async () => {
  const processes = await startSeveral(3);
  const [first, , last] = processes.map(asService) as [Service, Service, Service];
  const tenant = await createTenant(first);
  const ORDERS = 120;
  const begun = Date.now();
  const made = await Promise.all(
    Array.from({ length: ORDERS }, (_, i) =>
      takeIn(first, tenant, { ready_by: iso(begun + 2_000 + 100 * i) }),
    ),
  );
  const raised = async () => {
    const { events } = (await readFeed(last, tenant, { limit: '1000' })).body;
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    return events.filter(({ type }) => type === 'order.attention').map(({ data }) => data['order_id']);
  };
  await expect.poll(async () => (await raised()).length, PATIENCE).toBeGreaterThan(0);
  processes[0]?.child.kill('SIGKILL');
  await expect.poll(async () => (await raised()).length, PATIENCE).toBeGreaterThanOrEqual(ORDERS);
  expect((await raised()).sort()).toEqual(made.map(({ body }) => body.id).sort());
}, 300_000);
