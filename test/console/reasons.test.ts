import './speak-english.js';
import { expect, it } from 'vitest';
import type { ManagedOrder } from '#sdk';

const { reasonsFor } = await import('../../console/src/data/live/reasons.js');

it('says that it is time to start of orders for another day than they came on, whatever time their id has', () => {
  const now = Date.parse('2026-11-19T12:00:00Z');
  const orderOf = (created_at: string) =>
    ({
      // Of the year 2025, as the demo's orders have it.
      id: '01980c6e-5c00-7000-8000-00ff7fffff01',
      created_at,
      ready_by: '2026-11-19T12:10:00Z',
      status: 'PENDING',
    }) as ManagedOrder;
  expect(reasonsFor(orderOf('2026-11-18T12:00:00Z'), undefined, 15, now)).toEqual(['begin']);
  expect(reasonsFor(orderOf('2026-11-19T11:50:00Z'), undefined, 15, now)).toEqual([]);
});
