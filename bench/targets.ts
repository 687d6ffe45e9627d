import type { Target } from './bench.js';

const atLeast = (value: number): Target => ({ atLeast: value });
const atMost = (value: number): Target => ({ atMost: value });

/** Every target: by the name of the part, then by the name of the figure. */
export const TARGETS: Readonly<Record<string, Readonly<Record<string, Target>>>> = {
  // Half the time of a plain application is what people notice. Figures against bare programs have no target: nobody could have
  // those instead.
  peer: {
    'list, pages that differ, 16 connections': atLeast(2),
    'one order, 16 connections': atLeast(2),
    'menu tree of 250 items, 16 connections': atLeast(10),
    'publishing 250 items, 1 connection': atLeast(1),
    'publishing 1,000 items, 1 connection': atLeast(1),
  },
  photos: { 'menu with 250 photos against none': atLeast(0.8) },
  stall: { 'longest stall': atMost(50) },
  // A store may grow a thousandfold before its lists take half as long again.
  orders: {
    '1,000,000 against 1,000: first pages': atLeast(0.67),
    '1,000,000 against 1,000: one status': atLeast(0.67),
    '1,000,000 against 1,000: a time range': atLeast(0.67),
    '1,000,000 against 1,000: pages nine tenths down': atLeast(0.67),
    '1,000,000 against 1,000: a rare name': atLeast(0.33),
    '1,000,000 against 1,000: a rare phone number': atLeast(0.33),
  },
  intake: {
    '20 writers': atLeast(0.9),
    '20 writers, sales': atLeast(0.9),
  },
  pace: { 'unchecked, 20 writers': atLeast(0.9) },
  import: { '30,000 orders': atLeast(0.5) },
  sales: { 'by item, a year against a day': atLeast(0.5) },
  // 2,000 orders a second.
  retention: { '1,000 orders': atMost(500) },
  streams: {
    'an event in the same process': atMost(20),
    'an event in another process': atMost(700),
  },
  webhooks: { '2,000 events, 8 at once': atLeast(0.5) },
  // Twice the time in a fleet a hundred times as large; 20 MB a second.
  fleet: {
    'a page of the overview, 5,000 stores against 50': atLeast(0.5),
    'those that need attention, 5,000 stores against 50': atLeast(0.5),
    '20 MB of an archive': atMost(1_000),
  },
  memory: { 'resident, 1,000 stores of 250 items': atMost(420) },
  neighbours: {
    '100 bodies of 300,000 values': atMost(1),
    '1,000 changes of one order': atMost(1),
    '300 reads of a version without compression': atMost(1),
    '300 reads of what can be ordered': atMost(1),
    '300 comparisons of two versions': atMost(1),
    '150 searches that read the whole store': atMost(1),
    '300 pages of orders of 700 KB': atMost(1),
    '300 exports': atMost(1),
    '200 imports of 4,900 orders': atMost(1),
    '64 clients with wrong keys': atMost(1),
    '500 guests of one store': atMost(1),
  },
};

export function isReached(target: Target, { median }: { readonly median: number }): boolean {
  return 'atLeast' in target ? median >= target.atLeast : median <= target.atMost;
}
