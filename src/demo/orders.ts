import { businessDay, fromWall, wallSecond } from '../calendar/wall-clock.js';
import { DAY_MS, MINUTE_MS } from '../support/datetime.js';
import { exampleIds } from '../support/example-ids.js';
import { changeOfFreeUnit, countFreeUnits } from '../menus/modifier-groups.js';
import type { Item, MenuConfiguration } from '../menus/shapes.js';
import { totalsOf } from '../orders/lines.js';
import type { ImportedOrder } from '../orders/request-shapes.js';
import { isFinal, type OrderStatus } from '../orders/status.js';
import { demoMenu, type Demo, type DemoStore } from './content.js';

export interface DemoOrder {
  readonly id: string;
  readonly request: ImportedOrder;
}

/** Four weeks of a store's orders up to the given time; deterministic per minute. */
export function demoOrders(demo: Demo, store: DemoStore, now: number): DemoOrder[] {
  const { finished, in_kitchen: inKitchen, comments, example_customer: exampleCustomer } = demo.orders;
  const menu = demoMenu(demo, store);
  const timezone = store.store.timezone ?? 'UTC';
  const clock = createLocalClock(timezone);
  const lastNumbers = new Map<number, number>();
  const random = createRandom(store.storeKey);
  const thisMinute = now - (now % MINUTE_MS);
  const ends = (Object.entries(finished) as [OrderStatus, number][]).flatMap(([status, times]) =>
    Array<OrderStatus>(times).fill(status),
  );
  const past = pastMoments().map((at) => ({ at, status: random.pick(ends) }));
  const present = inKitchen.map(({ minutes_ago: minutes, status }) => ({
    at: thisMinute - minutes * MINUTE_MS,
    status,
  }));
  const orders = [...past, ...present].map(({ at, status }, index) => toOrder(random, index + 1, at, status));
  return store.id === exampleIds.store ? [exampleOrder(), ...orders] : orders;

  function pastMoments(): number[] {
    const until = thisMinute - 60 * MINUTE_MS;
    const found: number[] = [];
    for (let back = demo.orders.days; back >= 0; back -= 1) {
      const day = clock.day(until, back);
      const isBusy = [5, 6].includes(new Date(day).getUTCDay());
      for (const { hour, hours, orders } of demo.orders.meals) {
        for (let count = orders + (isBusy ? 1 : 0); count > 0; count -= 1) {
          const at = clock.at(day, hour * 60 + random.below(hours * 60));
          if (at < until) found.push(at);
        }
      }
    }
    return found.sort((one, other) => one - other);
  }

  /** As the kitchen calls it out. */
  function nextNumber(at: number): number {
    const day = businessDay(at, timezone);
    const number = (lastNumbers.get(day) ?? 0) + 1;
    lastNumbers.set(day, number);
    return number;
  }

  function toOrder(random: Random, number: number, at: number, status: OrderStatus): DemoOrder {
    const readyBy = at + (15 + random.below(30)) * MINUTE_MS;
    const wasSeen = status !== 'PENDING';
    const endedAt = status === 'FULFILLED' ? readyBy + 4 * MINUTE_MS : at + 3 * MINUTE_MS;
    const request: ImportedOrder = {
      store_id: store.id,
      external_id: `${store.code}-${String(number).padStart(4, '0')}`,
      number: nextNumber(at),
      customer: store.customers[random.below(1_000) % store.customers.length] ?? exampleCustomer,
      ...basketOf(menu, store.languages[0] ?? 'en', random),
      ...(random.chance(0.2) ? { customer_comments: random.pick(comments) } : {}),
      status,
      created_at: iso(at),
      ready_by: iso(readyBy),
      is_read: wasSeen,
      in_pos: wasSeen && status !== 'REJECTED',
      ...(isFinal(status) ? { completed_at: iso(endedAt) } : {}),
    };
    return { id: orderId(store, number), request };
  }

  /** Yesterday's lunch, used by examples in the API documents. */
  function exampleOrder(): DemoOrder {
    const at = clock.at(clock.day(now, 1), 13 * 60 + 5);
    const { customer_comments: _, ...rest } = toOrder(createRandom(7), 0, at, 'FULFILLED').request;
    return { id: exampleIds.order, request: { ...rest, customer: exampleCustomer } };
  }
}

/** One to four dishes with modifiers, and their total. */
function basketOf(
  { items: dishes, modifier_groups: groups = [], modifier_items: modifiers = [] }: MenuConfiguration,
  language: string,
  random: Random,
): Pick<ImportedOrder, 'items' | 'price' | 'tax'> {
  const items = Array.from({ length: 1 + random.below(4) }, () => toLine(random.pick(dishes)));
  return { items, ...totalsOf(items) };

  function toLine(item: Item) {
    const { external_id, name, price, tax } = item;
    const quantity = random.chance(0.25) ? 2 : 1;
    return { external_id, name: textOf(name), quantity, price, tax, modifiers: chooseFor(item) };
  }

  function chooseFor({ modifier_external_ids: ids = [] }: Item): object[] {
    return groups.filter((group) => ids.includes(group.external_id)).flatMap(choose);
  }

  function choose(group: (typeof groups)[number]): object[] {
    if (group.group_min === 0 && random.chance(0.6)) return [];
    const id = random.pick(group.modifier_item_external_ids ?? []);
    const isFree = countFreeUnits(group.charge_after, 0, 1) > 0;
    const charge = (change: number) => (isFree ? changeOfFreeUnit(change) : change);
    return modifiers
      .filter(({ external_id }) => external_id === id)
      .map(({ name, price_change, tax_change, menu_item_external_id: behind }) => {
        const nested = dishes.filter(({ external_id }) => external_id === behind).flatMap(chooseFor);
        return {
          group_external_id: group.external_id,
          external_id: id,
          name: textOf(name),
          quantity: 1,
          price_change: charge(price_change),
          tax_change: charge(tax_change),
          ...(nested.length === 0 ? {} : { modifiers: nested }),
        };
      });
  }

  function textOf({ translations }: Item['name']): string {
    return translations[language] ?? '';
  }
}

/** Like every order id, it ends with the store's number. */
function orderId({ storeKey }: DemoStore, number: number): string {
  const [time, count] = [exampleIds.order.slice(0, 23), number.toString(16).padStart(4, '0')];
  return `${time}-${count}${storeKey.toString(16).padStart(8, '0')}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

type Random = ReturnType<typeof createRandom>;

/** Seeded pseudo-random numbers, so that the demo is the same everywhere. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  // A 32-bit xorshift is good enough for choosing dishes.
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  /** From 0 up to, not including, the limit. */
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    chance: (probability: number) => next() < probability,
  };
}

/** A store's own calendar and clock. */
function createLocalClock(timezone: string) {
  return {
    /** Midnight of the local day that many days before `now`, written as if it were UTC. */
    day(now: number, daysBack: number): number {
      const local = wallSecond(now, timezone) * 1000;
      return local - (local % DAY_MS) - daysBack * DAY_MS;
    },
    /** The instant at which the local clock shows that many minutes after midnight. */
    at: (day: number, minutes: number) => fromWall(iso(day + minutes * MINUTE_MS), timezone),
  };
}
