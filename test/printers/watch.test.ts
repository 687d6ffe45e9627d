import { expect, it } from 'vitest';
import { watchPrinters } from '../../src/printers/watch.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { createStarPrinter, openForPaper } from '../harness/printer.js';
import { useService } from '../harness/service.js';

const service = await useService();

async function eventsOf({ storeId, key }: { storeId: string; key: string }, types: string) {
  const { body } = await ask<{ events: { type: string; data: Record<string, unknown> }[] }>(
    `${service.url}/manage/v1/stores/${storeId}/events?types=${types}`,
    { key },
  );
  return body.events.map(({ type, data }) => [
    type,
    data['order_id'] ?? data['printer_id'],
    data['reason'] ?? data['trouble'],
  ]);
}
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

it('raises an order that is not printed in time once, and none that need not be', async () => {
  const tenant = await openForPaper(service);
  const printer = await tenant.addPrinter();
  await tenant.addPrinter({ services: ['delivery'] });
  expect((await tenant.manage('PATCH', '', { print_within_minutes: 61 })).status).toBe(422);
  const { body: store } = await tenant.manage<object>('PATCH', '', { print_within_minutes: 5 });
  expect(store).toMatchObject({ print_within_minutes: 5 });
  const order = async (more: object) =>
    (await takeIn(service, tenant, { service: 'dine_in', ...more })).body.id;
  const printed = await order({ status: 'ACCEPTED' });
  const star = createStarPrinter(printer.url);
  await star.print();
  await order({ status: 'PENDING' });
  const waiting = await order({ status: 'ACCEPTED' });
  await watchPrinters(service.db);
  expect(await eventsOf(tenant, 'order.attention')).toEqual([]);
  await watchPrinters(service.db, inMinutes(6));
  await watchPrinters(service.db, inMinutes(7));
  expect(await eventsOf(tenant, 'order.attention')).toEqual([['order.attention', waiting, 'not_printed']]);
  expect(printed).not.toBe(waiting);
});

it('tells once that a printer has fallen silent, and that it is back', async () => {
  const tenant = await openForPaper(service);
  const { id, url } = await tenant.addPrinter();
  await tenant.addPrinter({ label: 'Never connected' });
  const star = createStarPrinter(url);
  await star.poll();
  await watchPrinters(service.db);
  await watchPrinters(service.db, inMinutes(2));
  await watchPrinters(service.db, inMinutes(3));
  expect((await tenant.manage('GET', `/printers/${id}`)).body).toMatchObject({ trouble: 'offline' });
  await star.poll();
  await service.db.query({
    name: 'test-silence',
    text: 'UPDATE printers SET last_poll_at = $2 WHERE id = $1',
    values: [id, new Date(Date.now() - 50_000)],
  });
  const before = Date.now();
  await star.poll();
  await expect
    .poll(async () => {
      const { body } = await tenant.manage<{ last_poll_at: string }>('GET', `/printers/${id}`);
      return Date.parse(body.last_poll_at);
    })
    .toBeGreaterThanOrEqual(before);
  expect(await eventsOf(tenant, 'printer.trouble,printer.recovered')).toEqual([
    ['printer.trouble', id, 'offline'],
    ['printer.recovered', id, undefined],
  ]);
});
