import { expect, it, onTestFinished } from 'vitest';
import { takeIn } from '../harness/orders.js';
import { createStarPrinter, openForPaper } from '../harness/printer.js';
import { startService } from '../harness/service.js';
import { startProcessOn } from '../harness/service-process.js';

it('gives a ticket once more, marked, when the service was killed between the ticket and its confirmation', async () => {
  const lasting = await startService();
  onTestFinished(() => lasting.stop());
  const tenant = await openForPaper(lasting);
  const path = new URL((await tenant.addPrinter()).url).pathname;
  for (let made = 0; made < 2; made += 1) await takeIn(lasting, tenant, { status: 'ACCEPTED' });

  const killed = await startProcessOn(lasting.connection, {});
  const before = createStarPrinter(killed.url + path);
  const { jobToken } = await before.waitForJob();
  const first = (await before.get('text/plain', jobToken)).bytes.toString();
  killed.child.kill('SIGKILL');
  await expect(before.end(jobToken)).rejects.toThrow();

  const again = await startProcessOn(lasting.connection, {});
  const star = createStarPrinter(again.url + path);
  const second = await star.print();
  const marked = /^NEW\nREPEAT, may be\nprinted already\n/;
  expect(second).toMatch(marked);
  expect(first.replace(/^NEW\n/, '')).toBe(second.replace(marked, ''));
  const third = await star.print();
  expect([third.split('\n')[0], third.includes('No. 2'), third.includes('REPEAT')]).toEqual([
    'NEW',
    true,
    false,
  ]);
  expect(await star.poll()).toEqual({ jobReady: false });
});
