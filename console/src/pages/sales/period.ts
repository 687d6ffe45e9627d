import { locale, t } from '../../text/t.js';
import type { Sales } from '#sdk';
import { toWall } from '../../../../src/calendar/wall-clock.js';

type Grouping = Sales['by'];

/** What the address asks for: days, both included, and what a row adds up. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly by: Grouping;
}

export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  day: t('day'),
  hour: t('hour_of_the_day'),
  weekday: t('weekday'),
  item: t('item'),
  category: t('category'),
  status: t('status'),
  service: t('service'),
  source: t('source'),
  method: t('payment_method'),
};

export const BY_WORDS: Readonly<Record<Grouping, string>> = {
  day: t('by_day'),
  hour: t('by_hour_of_the_day'),
  weekday: t('by_weekday'),
  item: t('by_item'),
  category: t('by_category'),
  status: t('by_status'),
  service: t('by_service'),
  source: t('by_source'),
  method: t('by_method'),
};

export const TAKINGS_BY_WORDS: Readonly<Record<Grouping, string>> = {
  day: t('takings_by_day'),
  hour: t('takings_by_hour_of_the_day'),
  weekday: t('takings_by_weekday'),
  item: t('takings_by_item'),
  category: t('takings_by_category'),
  status: t('takings_by_status'),
  service: t('takings_by_service'),
  source: t('takings_by_source'),
  method: t('takings_by_method'),
};

/** Below a bar, where there is little room. */
export const WEEKDAY_TICKS: Readonly<Record<string, string>> = {
  Monday: t('mon'),
  Tuesday: t('tue'),
  Wednesday: t('wed'),
  Thursday: t('thu'),
  Friday: t('fri'),
  Saturday: t('sat'),
  Sunday: t('sun'),
};

const DAY_MS = 86_400_000;
const WEEK = 7;

export function readPeriod(query: URLSearchParams, timezone: string): Period {
  const today = toWall(Date.now(), timezone).slice(0, 10);
  const to = dateIn(query, 'to') ?? today;
  const by = query.get('by') ?? 'day';
  return {
    from: dateIn(query, 'from') ?? addDays(to, 1 - WEEK),
    to,
    by: by in GROUPING_WORDS ? (by as Grouping) : 'day',
  };
}

function dateIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? '';
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

function countDays({ from, to }: Pick<Period, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** As many whole weeks earlier as the period is long, so that a Monday is compared with a Monday. */
export function weeksBack(period: Pick<Period, 'from' | 'to'>): number {
  return Math.max(1, Math.ceil(countDays(period) / WEEK));
}

export function periodBefore(period: Period): Period {
  const back = -WEEK * weeksBack(period);
  return { ...period, from: addDays(period.from, back), to: addDays(period.to, back) };
}

/** `Mon 2 Nov`; days have no time zone. */
export function toDay(date: string): string {
  return new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(Date.parse(date));
}
