import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Menus } from '../menus/rendering/menus.js';
import { hourOf } from '../orders/list/counts.sql.js';
import { HOUR_DAYS } from '../orders/sales/fold.sql.js';
import { OUTCOMES } from '../orders/sales/sales.js';
import { ORDER_STATUSES, type OrderStatus } from '../orders/status.js';
import { parseDate } from '../calendar/open-hours.js';
import { wallSecond } from '../calendar/wall-clock.js';
import type { Queryable } from '../postgres/database.js';
import { valueError } from '../support/error-details.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';
import { readItemSales, readStatuses, readTakings, type DayRange } from './sales.sql.js';
import { addUpNames, addUpParts, partsOn } from './facts.js';
import {
  add,
  addAll,
  itemSums,
  noAmounts,
  noSums,
  shown,
  shownSums,
  sumsOf,
  type Amounts,
  type Sums,
} from './sums.js';
import { MOST_DAYS, WEEKDAYS, type Sales, type SalesQuery, type SalesRow } from './shapes.js';
import { DAY_SECONDS } from '../support/datetime.js';

/** Of one store, where items are added up to categories; what sold less is in no category. */
const MOST_ITEMS = 10_000;
/** Days are numbered from the year 1, as hours are. */
const DAYS_TO_1970 = hourOf(0) / 24;

interface SalesContext {
  readonly db: Queryable;
  readonly prices: Menus['prices'];
  readonly now: number;
}

/** Adds up the sales of several stores, each by its own clock. */
export async function readSales(
  context: SalesContext,
  stores: readonly RequestedStore[],
  query: SalesQuery,
): Promise<Sales> {
  const timezones = new Set(stores.map(({ timezone }) => timezone ?? 'UTC'));
  const currencies = new Set(stores.map(({ currency }) => currency));
  if (currencies.size > 1)
    throw valueError(['query', 'store_ids'], 'these stores have different currencies; ask for each alone');
  const [timezone = 'UTC'] = timezones;
  const [currency] = currencies;
  const { from, to, range } = readRange(query, timezone, context.now);
  const { by, limit } = query;
  if (by === 'hour' && range.from < today(context.now) - HOUR_DAYS)
    throw valueError(['query', 'from'], `hours are kept for ${HOUR_DAYS} days`, from);
  const groups =
    by === 'item'
      ? await addUpItems(context, stores, range, limit)
      : by === 'category'
        ? await addUpCategories(context, stores, range, limit)
        : by === 'status'
          ? await addUpStatuses(context.db, stores, range)
          : by === 'service' || by === 'source' || by === 'method'
            ? await addUpNames(context.db, stores, range, by, limit)
            : await addUpTakings(context.db, stores, range, by);
  return {
    from,
    to,
    ...(timezones.size > 1 ? {} : { timezone }),
    ...(currency === undefined ? {} : { currency }),
    by,
    ...groups,
  };
}

const today = (now: number) => Math.floor(now / 1000 / DAY_SECONDS) + DAYS_TO_1970;

function readRange({ from, to }: SalesQuery, timezone: string, now: number) {
  const last = parseDate(to ?? '') ?? Math.floor(wallSecond(now, timezone) / DAY_SECONDS);
  const first = parseDate(from ?? '') ?? last;
  if (first > last) throw valueError(['query', 'from'], 'from is after today; say `to` as well', from);
  if (last - first >= MOST_DAYS)
    throw valueError(['query', 'from'], `more than ${MOST_DAYS} days until today; say \`to\` as well`, from);
  const range = { from: first + DAYS_TO_1970, to: last + DAYS_TO_1970 + 1 };
  return { from: dateOf(range.from), to: dateOf(range.to - 1), range };
}

function dateOf(day: number): string {
  return new Date((day - DAYS_TO_1970) * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** Every day, hour or weekday has a row, also one in which nothing was sold. */
async function addUpTakings(
  db: Queryable,
  stores: readonly RequestedStore[],
  range: DayRange,
  by: 'day' | 'hour' | 'weekday',
): Promise<Pick<Sales, 'rows' | 'total'>> {
  const total = noSums();
  const groups = new Map<number, Sums>(keysOf(by, range).map((key) => [key, noSums()]));
  for (const { storeKey } of stores) {
    for (const row of await readTakings(db, storeKey, range, by)) {
      const sums = sumsOf((name) => row[`${name}_orders`], row);
      for (const to of [groups.get(row.key), total]) if (to !== undefined) addAll(to, sums);
    }
  }
  const parts = await addUpParts(db, stores, range);
  const rows = [...groups].map(([key, sums]): SalesRow =>
    Object.assign(
      nameOf(by, key),
      shownSums(sums, 'orders'),
      // Hours have none: they are counted by the day.
      by === 'hour'
        ? undefined
        : partsOn(parts, (day) => (by === 'day' ? day : day % WEEKDAYS.length) === key),
    ),
  );
  return { rows, total: { ...shownSums(total, 'orders'), ...partsOn(parts, () => true) } };
}

async function addUpStatuses(
  db: Queryable,
  stores: readonly RequestedStore[],
  range: DayRange,
): Promise<Pick<Sales, 'rows' | 'total'>> {
  const total = noSums();
  const statuses = new Map<OrderStatus, Amounts>(ORDER_STATUSES.map((status) => [status, noAmounts()]));
  for (const { storeKey } of stores) {
    for (const { status, orders, price, tax } of await readStatuses(db, storeKey, range))
      for (const to of [statuses.get(status), total[OUTCOMES[status]]])
        if (to !== undefined) add(to, { count: orders, price, tax });
  }
  const rows = [...statuses].map(([status, amounts]): SalesRow => ({ status, ...shown(amounts, 'orders') }));
  return { rows, total: shownSums(total, 'orders') };
}

function keysOf(by: 'day' | 'hour' | 'weekday', { from, to }: DayRange): number[] {
  const count = by === 'day' ? to - from : by === 'hour' ? 24 : 7;
  return Array.from({ length: count }, (_, i) => (by === 'day' ? from + i : i));
}

function nameOf(by: 'day' | 'hour' | 'weekday', key: number): Pick<SalesRow, 'day' | 'hour' | 'weekday'> {
  if (by === 'hour') return { hour: key };
  return by === 'weekday' ? { weekday: WEEKDAYS[key] ?? 'Monday' } : { day: dateOf(key) };
}

type Rows = Pick<Sales, 'rows' | 'total'>;

/** The best sellers, named by the menu of today; the rest as one row. Sorted and cut by the database. */
async function addUpItems(
  { db, prices }: SalesContext,
  stores: readonly RequestedStore[],
  range: DayRange,
  limit: number,
): Promise<Rows> {
  const keys = stores.map(({ storeKey }) => storeKey);
  const [all, ...items] = await readItemSales(db, keys, range, limit);
  const names = new Map<string, MultilingualText>();
  let unnamed = items.flatMap(({ external_id: id }) => (id === null || id === '' ? [] : [id]));
  for (const store of stores) {
    if (unnamed.length === 0) break;
    const { list } = await prices.read(store, store.menu);
    unnamed = unnamed.filter((id) => {
      const name = list.items.get(id)?.name;
      if (name !== undefined) names.set(id, JSON.parse(name) as MultilingualText);
      return name === undefined;
    });
  }
  const best = items.map((row) => ({
    externalId: row.external_id ?? '',
    name: names.get(row.external_id ?? ''),
    sums: itemSums(row),
  }));
  const total = all === undefined ? noSums() : itemSums(all);
  return withRest(best, total, all?.items ?? 0);
}

interface Named {
  readonly externalId: string;
  readonly name: MultilingualText | undefined;
  readonly sums: Sums;
}

/** `count` is how many there are in all. */
function withRest(best: readonly Named[], total: Sums, count: number): Rows {
  const rows = best.map(({ externalId, name, sums }): SalesRow => ({
    ...(externalId === '' ? {} : { external_id: externalId }),
    ...(name === undefined ? {} : { name }),
    ...shownSums(sums, 'units'),
  }));
  if (count > best.length) {
    const rest = noSums();
    addAll(rest, total);
    for (const { sums } of best) addAll(rest, sums, -1);
    rows.push({ rest: count - best.length, ...shownSums(rest, 'units') });
  }
  return { rows, total: shownSums(total, 'units') };
}

/** By the first category that lists an item on the menu of today; what is on no menu is in none. */
async function addUpCategories(
  { db, prices }: SalesContext,
  stores: readonly RequestedStore[],
  range: DayRange,
  limit: number,
): Promise<Rows> {
  const total = noSums();
  const groups = new Map<string, Named>();
  for (const store of stores) {
    const [all, ...items] = await readItemSales(db, [store.storeKey], range, MOST_ITEMS);
    if (all !== undefined) addAll(total, itemSums(all));
    if (items.length === 0) continue;
    const { list } = await prices.read(store, store.menu);
    for (const [i, row] of items.entries()) {
      if (i % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await letOthersRun();
      const { externalId = '', name } = list.items.get(row.external_id ?? '')?.category ?? {};
      const before = groups.get(externalId);
      const sums = before?.sums ?? noSums();
      addAll(sums, itemSums(row));
      if (before === undefined)
        groups.set(externalId, {
          externalId,
          name: name === undefined ? undefined : (JSON.parse(name) as MultilingualText),
          sums,
        });
    }
  }
  const best = [...groups.values()].sort(
    ({ sums: { sold }, externalId }, { sums: { sold: next }, externalId: nextId }) =>
      next.count - sold.count || next.price - sold.price || (externalId < nextId ? -1 : 1),
  );
  return withRest(best.slice(0, limit), total, best.length);
}

const ROWS_AT_ONCE = 500;
