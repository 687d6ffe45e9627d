import { afterAll, expect, it } from 'vitest';
import { readFeed } from '../harness/events.js';
import { takeIn } from '../harness/orders.js';
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

const startSeveral = (count: number) =>
  Promise.all(Array.from({ length: count }, () => startProcessOn(connection, {})));

it('gives each slot exactly its orders, whichever of four processes 200 guests reach at once', async () => {
  const services = (await startSeveral(4)).map(asService) as [Service, ...Service[]];
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
