import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CLOCK_REASONS, attentionMoments, watchOrder } from '../../src/orders/attention/attention-clock.js';
import { ORDER_STATUSES } from '../../src/orders/status.js';

const MINUTE = 60_000;
const ARRIVED = Date.parse('2026-11-16T12:00:00Z');
const minutes = fc.integer({ min: 1, max: 240 });

const order = fc.record({
  arrivedMs: fc.constant(ARRIVED),
  status: fc.constantFrom(...ORDER_STATUSES),
  inPos: fc.boolean(),
  readyBy: fc
    .integer({ min: -3_000, max: 3_000 })
    .map((ahead) => new Date(ARRIVED + ahead * MINUTE).toISOString()),
});
const settings = fc.record(
  { accept: fc.record({ within_minutes: minutes }, { requiredKeys: [] }), inPosWithinMinutes: minutes },
  { requiredKeys: [] },
);

it('raises each reason once, at the first look after its moment, and looks no earlier than it must', () => {
  fc.assert(
    fc.property(order, settings, (one, set) => {
      const moments = attentionMoments(one, set);
      const raised: string[] = [];
      let now: number | undefined = ARRIVED;
      let looks = 0;
      while (now !== undefined) {
        const seen = watchOrder(one, set, raised, now);
        for (const reason of seen.due) {
          expect(raised).not.toContain(reason);
          expect(Math.max(moments[reason] ?? NaN, ARRIVED)).toBe(now);
        }
        raised.push(...seen.due);
        if (seen.nextMs !== undefined) expect(seen.nextMs).toBeGreaterThan(now);
        now = seen.nextMs;
        expect((looks += 1)).toBeLessThanOrEqual(CLOCK_REASONS.length + 1);
      }
      const wanted = CLOCK_REASONS.filter((reason) => {
        const moment = moments[reason];
        return moment !== undefined && moment > ARRIVED - 24 * 60 * MINUTE;
      });
      expect(raised.sort()).toEqual([...wanted].sort());
    }),
  );
});
