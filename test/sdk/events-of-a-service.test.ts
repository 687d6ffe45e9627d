import { createClient, type EventData, type StoreEvent } from '#sdk';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { createDatabaseProxy } from '../harness/database-proxy.js';
import { readFeed } from '../harness/events.js';
import { patch, takeIn } from '../harness/orders.js';
import { useService, type Service } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

const service = await useService();

const portOf = ({ url }: Service) => Number(new URL(url).port);

describe('client.events()', () => {
  it('brings all of a real service once and in order, through cut connections and a restart', async () => {
    const tenant = await createTenant(service);
    let replica = await service.replica();
    onTestFinished(() => replica.stop());
    const target = { host: '127.0.0.1', port: portOf(replica) };
    const door = await createDatabaseProxy(target);
    onTestFinished(() => door.close());

    const [rounds, perRound] = [4, 10];
    const total = rounds * perRound * 2;
    const seen: StoreEvent[] = [];
    let reconnects = 0;
    const client = createClient({ baseUrl: `http://127.0.0.1:${door.port}`, apiKey: tenant.key });
    const read = async () => {
      const { storeId } = tenant;
      const events = client.events({ storeId, after: 'start', onReconnect: () => (reconnects += 1) });
      for await (const event of events) {
        seen.push(event);
        if (seen.length === total) return;
      }
    };
    const reading = read();
    for (let round = 1; round <= rounds; round += 1) {
      const orders = await Promise.all(Array.from({ length: perRound }, () => takeIn(service, tenant)));
      await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan((round - 1) * perRound * 2);
      const changes = orders.map(({ body }) => patch(service, tenant.key, body.id, { status: 'ACCEPTED' }));
      door.shut();
      if (round === 2) {
        await replica.stop();
        replica = await service.replica();
        target.port = portOf(replica);
      }
      door.open();
      await Promise.all(changes);
    }
    await reading;
    const { body } = await readFeed(service, tenant, { limit: '1000' });
    expect(body.events).toHaveLength(total);
    expect(seen).toEqual(body.events);
    expect(reconnects).toBeGreaterThanOrEqual(rounds - 1);
  }, 60_000);

  it('tells, among its types, of every member that an event can bring', () => {
    type MembersOf<Data> = Data extends unknown ? keyof Data : never;
    expectTypeOf<MembersOf<StoreEvent['data']>>().toEqualTypeOf<keyof EventData>();
  });
});
