import { expect } from 'vitest';
import { takeIn } from './orders.js';
import { createStarPrinter, openForPaper } from './printer.js';
import type { Service } from './service.js';
import { storeKeyOf } from './tenant.js';

const PRINTERS = [0, 1, 2, 3];
const AT_ONCE = 10;
/** Every so many tickets the confirmation of one is lost. */
const LOST_EVERY = 40;

/** Four printers of three replicas print so many orders: each once without a mark, none missing, in the same order. */
export async function printCrowd(
  service: Service,
  replicas: readonly Service[],
  count: number,
): Promise<void> {
  const tenant = await openForPaper(service);
  const printers = await Promise.all(PRINTERS.map((i) => tenant.addPrinter({ label: `${i}` })));
  let taken = 0;
  const orders = (async () => {
    while (taken < count) {
      const some = Array.from({ length: AT_ONCE }, (_, i) => {
        taken += 1;
        const items = [{ external_id: 'dish', name: `Dish-${taken}`, quantity: 1 }];
        return takeIn(replicas[i % replicas.length] ?? service, tenant, { status: 'ACCEPTED', items });
      });
      for (const { status, body } of await Promise.all(some)) expect([status, body]).toEqual([201, body]);
    }
  })();

  const printAll = async (path: string, mac: string) => {
    const devices = replicas.map(({ url }) => createStarPrinter(url + path, mac));
    const tickets: { dish: number; isRepeat: boolean }[] = [];
    const printed = new Set<number>();
    for (let turn = 0; printed.size < count; turn += 1) {
      const at = (offset: number) => devices[(turn + offset) % devices.length] ?? createStarPrinter(path);
      const { jobReady: isReady, jobToken = '' } = await at(0).poll();
      if (!isReady) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      const { status, bytes } = await at(1).get('text/plain', jobToken);
      if (status !== 200) continue;
      const text = bytes.toString();
      const dish = Number(/Dish-(\d+)$/m.exec(text)?.[1]);
      tickets.push({ dish, isRepeat: text.includes('REPEAT') });
      if (tickets.length % LOST_EVERY === 0) continue;
      await at(2).end(jobToken);
      // The other replicas remember the last poll: the next one is that of the replica that was told.
      turn += 1;
      printed.add(dish);
    }
    return tickets;
  };
  const all = await Promise.all(
    printers.map(({ url }, i) => printAll(new URL(url).pathname, `00:11:62:00:00:0${i}`)),
  );
  await orders;

  const dishes = Array.from({ length: count }, (_, i) => i + 1);
  const firsts = all.map((tickets) => tickets.flatMap(({ dish, isRepeat }) => (isRepeat ? [] : dish)));
  for (const [i, first] of firsts.entries()) {
    expect(first.toSorted((a, b) => a - b)).toEqual(dishes);
    expect(first).toEqual(firsts[0]);
    expect(all[i]?.length).toBeGreaterThan(count);
  }
  const [row] = await service.db.query<{ pairs: number; orders: number }>({
    name: 'test-pairs',
    text: `SELECT count(*)::integer AS pairs, count(DISTINCT t.order_id)::integer AS orders
           FROM printer_tickets t WHERE t.store_key = $1`,
    values: [await storeKeyOf(service, tenant)],
  });
  expect(row).toEqual({ pairs: PRINTERS.length * count, orders: count });
}
