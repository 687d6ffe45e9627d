import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { hourOf } from '../orders/list/counts.sql.js';
import { HOUR_DAYS } from '../orders/sales/fold.sql.js';
import { parseDate } from '../calendar/open-hours.js';
import { wallSecond } from '../calendar/wall-clock.js';
import { valueError } from '../support/error-details.js';
import type { MultilingualText } from '../support/shape/common-shapes.js';
import { readItemSales, readTakings, type DayRange } from './sales.sql.js';
import { addUpNames, addUpParts, addUpStatuses, partsOn } from './facts.js';
import {
  addAll,
  noSums,
  rowsWithRest,
  shownSums,
  sumsOf,
  type AddUp,
  type Named,
  type SalesContext,
  type Sums,
} from './sums.js';
import { MOST_DAYS, WEEKDAYS, type Grouping, type Sales, type SalesQuery, type SalesRow } from './shapes.js';
import { DAY_SECONDS } from '../support/datetime.js';

/** Of one store, where items are added up to categories; what sold less is in no category. */
const MOST_ITEMS = 10_000;
/** Days are numbered from the year 1, as hours are. */
const DAYS_TO_1970 = hourOf(0) / 24;

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
  const { by } = query;
  if (by === 'hour' && range.from < today(context.now) - HOUR_DAYS)
    throw valueError(['query', 'from'], `hours are kept for ${HOUR_DAYS} days`, from);
  const groups = await GROUPINGS[by](context, stores, range, query.limit);
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
const addUpTakings =
  (by: 'day' | 'hour' | 'weekday'): AddUp =>
  async ({ db }, stores, range) => {
    const total = noSums();
    const groups = new Map<number, Sums>(keysOf(by, range).map((key) => [key, noSums()]));
    for (const { storeKey } of stores)
      for (const row of await readTakings(db, storeKey, range, by))
        for (const to of [groups.get(row.key), total]) if (to !== undefined) addAll(to, sumsOf(row));
    const parts = await addUpParts(db, stores, range);
    const rows = [...groups].map(([key, sums]): SalesRow => ({
      ...nameOf(by, key),
      ...shownSums(sums, 'orders'),
      // Hours have none: they are counted by the day.
      ...(by !== 'hour' && partsOn(parts, (day) => (by === 'day' ? day : day % WEEKDAYS.length) === key)),
    }));
    return { rows, total: { ...shownSums(total, 'orders'), ...partsOn(parts, () => true) } };
  };

function keysOf(by: 'day' | 'hour' | 'weekday', { from, to }: DayRange): number[] {
  const count = by === 'day' ? to - from : by === 'hour' ? 24 : 7;
  return Array.from({ length: count }, (_, i) => (by === 'day' ? from + i : i));
}

function nameOf(by: 'day' | 'hour' | 'weekday', key: number): Pick<SalesRow, 'day' | 'hour' | 'weekday'> {
  if (by === 'hour') return { hour: key };
  return by === 'weekday' ? { weekday: WEEKDAYS[key] ?? 'Monday' } : { day: dateOf(key) };
}

/** The best sellers, named by the menu of today; the rest as one row. Sorted and cut by the database. */
const addUpItems: AddUp = async ({ db, prices }, stores, range, limit) => {
  const keys = stores.map(({ storeKey }) => storeKey);
  const [all, ...items] = await readItemSales(db, keys, range, limit);
  const names = new Map<string, string>();
  let unnamed = items.flatMap(({ external_id: id }) => (id === null || id === '' ? [] : [id]));
  for (const store of stores) {
    if (unnamed.length === 0) break;
    const { list } = await prices.read(store, store.menu);
    for (const id of unnamed) names.set(id, list.items.get(id)?.name ?? '');
    unnamed = unnamed.filter((id) => names.get(id) === '');
  }
  const best = items.map((row) => {
    const id = row.external_id ?? '';
    return { name: nameWith(id, names.get(id)), sums: sumsOf(row) };
  });
  const total = all === undefined ? noSums() : sumsOf(all);
  const rows = rowsWithRest(best, { total, count: all?.items ?? 0, counted: 'units' });
  return { rows, total: shownSums(total, 'units') };
};

/** By the first category that lists an item on the menu of today; what is on no menu is in none. */
const addUpCategories: AddUp = async ({ db, prices }, stores, range, limit) => {
  const total = noSums();
  const groups = new Map<string, Named & { readonly externalId: string }>();
  for (const store of stores) {
    const [all, ...items] = await readItemSales(db, [store.storeKey], range, MOST_ITEMS);
    if (all !== undefined) addAll(total, sumsOf(all));
    if (items.length === 0) continue;
    const { list } = await prices.read(store, store.menu);
    for (const row of items) {
      const { externalId = '', name } = list.items.get(row.external_id ?? '')?.category ?? {};
      const group = groups.get(externalId) ?? {
        externalId,
        name: nameWith(externalId, name),
        sums: noSums(),
      };
      addAll(group.sums, sumsOf(row));
      groups.set(externalId, group);
    }
  }
  const best = [...groups.values()].sort(
    ({ sums: { sold }, externalId }, { sums: { sold: next }, externalId: nextId }) =>
      next.count - sold.count || next.price - sold.price || (externalId < nextId ? -1 : 1),
  );
  const rows = rowsWithRest(best.slice(0, limit), { total, count: best.length, counted: 'units' });
  return { rows, total: shownSums(total, 'units') };
};

/** `json` is the text of its name, where it has one. */
function nameWith(externalId: string, json = ''): Named['name'] {
  return {
    ...(externalId !== '' && { external_id: externalId }),
    ...(json !== '' && { name: JSON.parse(json) as MultilingualText }),
  };
}

const GROUPINGS: Readonly<Record<Grouping, AddUp>> = {
  day: addUpTakings('day'),
  hour: addUpTakings('hour'),
  weekday: addUpTakings('weekday'),
  item: addUpItems,
  category: addUpCategories,
  status: addUpStatuses,
  service: addUpNames('service'),
  source: addUpNames('source'),
  method: addUpNames('method'),
};
