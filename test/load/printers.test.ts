import { expect, it } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { createStarPrinter, openForPaper } from '../harness/printer.js';
import { useService } from '../harness/service.js';
import { storeKeyOf } from '../harness/tenant.js';

const ORDERS = 200;
/** Every so many tickets the confirmation of one is lost. */
const LOST_EVERY = 40;

const service = await useService();

it(`prints ${ORDERS} orders on four printers of three replicas: each once without a mark, none missing, in order`, async () => {
  const replicas = [service, await service.replica(), await service.replica()];
  const tenant = await openForPaper(service);
  const printers = await Promise.all([0, 1, 2, 3].map((i) => tenant.addPrinter({ label: `${i}` })));
  const ids: string[] = [];
  const orders = (async () => {
    while (ids.length < ORDERS) {
      const some = Array.from({ length: 10 }, (_, i) =>
        takeIn(replicas[i % 3] ?? service, tenant, { status: 'ACCEPTED' }),
      );
      for (const { body } of await Promise.all(some)) ids.push(body.id);
    }
  })();

  const printAll = async (path: string, mac: string) => {
    const devices = replicas.map(({ url }) => createStarPrinter(url + path, mac));
    const tickets: { number: number; isRepeat: boolean }[] = [];
    const printed = new Set<number>();
    for (let turn = 0; printed.size < ORDERS; turn += 1) {
      const at = (offset: number) => devices[(turn + offset) % devices.length] ?? createStarPrinter(path);
      const { jobReady: isReady, jobToken = '' } = await at(0).poll();
      if (!isReady) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      const { status, bytes } = await at(1).get('text/plain', jobToken);
      if (status !== 200) continue;
      const text = bytes.toString();
      const number = Number(/^No\. (\d+)$/m.exec(text)?.[1]);
      tickets.push({ number, isRepeat: text.includes('REPEAT') });
      if (tickets.length % LOST_EVERY === 0) continue;
      await at(2).end(jobToken);
      // The other replicas remember the last poll: the next one is that of the replica that was told.
      turn += 1;
      printed.add(number);
    }
    return tickets;
  };
  const all = await Promise.all(
    printers.map(({ url }, i) => printAll(new URL(url).pathname, `00:11:62:00:00:0${i}`)),
  );
  await orders;

  const numbers = Array.from({ length: ORDERS }, (_, i) => i + 1);
  for (const tickets of all) {
    const unmarked = tickets.filter(({ isRepeat }) => !isRepeat).map(({ number }) => number);
    expect(unmarked.toSorted((a, b) => a - b)).toEqual(numbers);
    const lost = tickets.filter(({ isRepeat }) => isRepeat).length;
    expect(lost).toBeGreaterThan(0);
  }
  const firsts = all.map((tickets) =>
    tickets.filter(({ isRepeat }) => !isRepeat).map(({ number }) => number),
  );
  for (const order of firsts) expect(order).toEqual(firsts[0]);
  const [row] = await service.db.query<{ pairs: number; orders: number }>({
    name: 'test-pairs',
    text: `SELECT count(*)::integer AS pairs, count(DISTINCT t.order_id)::integer AS orders
           FROM printer_tickets t WHERE t.store_key = $1`,
    values: [await storeKeyOf(service, tenant)],
  });
  expect(row).toEqual({ pairs: 4 * ORDERS, orders: ORDERS });
}, 240_000);
