import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBodyRoom, type BodyShare } from '../../src/http/body-room.js';
import { ClientDisconnected } from '../../src/support/errors.js';

const STEP = 64 * 1024;
const never = () => new AbortController().signal;

it('brings every body to its end, however they arrive, within its bounds and one body more', async () => {
  const largest = 5 * STEP;
  const sizes = { size: 12 * STEP, perOwner: 8 * STEP, largest };
  const body = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    chunks: fc.array(fc.integer({ min: 1, max: STEP }), { maxLength: 5 }),
    work: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 30 }), async (bodies) => {
      const room = createBodyRoom(sizes);
      const inMemory = new Map<string, number>();
      let done = 0;
      const add = (owner: string, bytes: number) => {
        inMemory.set(owner, (inMemory.get(owner) ?? 0) + bytes);
        const all = [...inMemory.values()].reduce((sum, one) => sum + one, 0);
        // A chunk is in memory before it is known to fit.
        expect(all).toBeLessThanOrEqual(sizes.size + largest + bodies.length * STEP);
        expect(inMemory.get(owner)).toBeLessThanOrEqual(sizes.perOwner + largest + bodies.length * STEP);
      };
      await Promise.all(
        bodies.map(async ({ owner, chunks, work }) => {
          const share = await room.enter(owner, never);
          for (const bytes of chunks) {
            add(owner, bytes);
            await share.count(bytes);
            await nextTurn();
          }
          for (let turn = 0; turn < work; turn += 1) await nextTurn();
          add(owner, -chunks.reduce((sum, bytes) => sum + bytes, 0));
          share.release();
          done += 1;
        }),
      );
      expect(done).toBe(bodies.length);
    }),
    { numRuns: 60 },
  );
});

/** Whether the next bytes may be read already. */
async function isRead(room: Promise<void> | undefined): Promise<boolean> {
  if (room === undefined) return true;
  return Promise.race([room.then(() => true), nextTurn(false)]);
}

it('counts nothing before it arrives, and lets the oldest body grow when there is no room', async () => {
  const room = createBodyRoom({ size: 4 * STEP, perOwner: 4 * STEP, largest: 4 * STEP });
  const [first, second, third, fourth] = (await Promise.all(
    ['a', 'b', 'c', 'd'].map((owner) => room.enter(owner, never)),
  )) as [BodyShare, BodyShare, BodyShare, BodyShare];
  expect(first.count(4 * STEP)).toBeUndefined();
  const waits = second.count(2 * STEP);
  expect(await isRead(waits)).toBe(false);
  third.release();
  expect(await isRead(waits)).toBe(false);
  first.release();
  expect(await isRead(waits)).toBe(true);
  fourth.release();
  second.release();
});

it('gives up a wait whose client is gone, and room goes to the next', async () => {
  const room = createBodyRoom({ size: STEP, perOwner: STEP, largest: STEP });
  const held = await room.enter('a', never);
  const leaving = new AbortController();
  const gone = room.enter('b', () => leaving.signal);
  const next = room.enter('c', never);
  leaving.abort();
  await expect(gone).rejects.toBeInstanceOf(ClientDisconnected);
  await expect(room.enter('d', () => leaving.signal)).rejects.toBeInstanceOf(ClientDisconnected);
  held.release();
  held.release();
  (await next).release();
});

it('serves the merchant with the least first', async () => {
  const room = createBodyRoom({ size: 3 * STEP, perOwner: 3 * STEP, largest: 3 * STEP });
  const [oldest, much] = [await room.enter('much', never), await room.enter('much', never)];
  const other = await room.enter('other', never);
  const served: string[] = [];
  const more = [1, 2, 3].map(() => room.enter('much', never).then(() => served.push('much')));
  const small = room.enter('small', never).then(() => served.push('small'));
  other.release();
  await small;
  expect(served).toEqual(['small']);
  oldest.release();
  much.release();
  await Promise.all(more.slice(0, 2));
});

it('does not refuse a slow body of one merchant because another waits for itself', async () => {
  const room = createBodyRoom({ size: 4 * STEP, perOwner: STEP, largest: STEP });
  const slow = await room.enter('slow', never);
  const refused: string[] = [];
  slow.watchPace(() => refused.push('slow'));
  const full = await room.enter('full', never);
  full.watchPace(() => {
    refused.push('full');
    full.release();
  });
  (await room.enter('full', never)).release();
  expect(refused).toEqual(['full']);
}, 20_000);
