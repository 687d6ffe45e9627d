import { formatMoney, formatNumber } from '../../../src/support/minor-units.js';
import { findRate } from '../../../src/menu-files/sheet/money.js';
import { commaOf } from '../../../src/menus/allergens.js';
import { language, locale, t } from './t.js';

/** A list in one line, with the comma of the staff's language. */
export function toList(parts: readonly string[]): string {
  return parts.join(commaOf(language()));
}

/** Minor units as people write them, in the currency of the store; without one, as they are. */
export function toMoney(minor: number, currency: string | undefined): string {
  return formatMoney(minor, currency, locale());
}

/** With a sign, for what a choice adds or takes off. */
export function toPriceChange(minor: number, currency: string | undefined): string {
  return minor === 0 ? '' : formatMoney(minor, currency, locale(), 'exceptZero');
}

/** `+5`, for what is more or less than before. */
export function toSigned(value: number): string {
  return formatNumber(value, locale(), { signDisplay: 'exceptZero' });
}

/** `18:42`, as the clock on the store's wall has it. */
export function toClock(moment: string | number, timezone: string): string {
  return format(moment, { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** `Mon 15 Nov, 18:42`; the year only where it is another one. */
export function toDateTime(moment: string | number, timezone: string): string {
  const date = new Date(moment);
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return format(moment, {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

function format(moment: string | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), options).format(new Date(moment));
}

/** `2 h 5 min`, `12 min`, `40 s`. */
export function toDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return t('seconds_s', { seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t('minutes_min', { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0
      ? t('hours_h', { hours })
      : t('hours_h_minutes_min', { hours, minutes: minutes % 60 });
  return t('count_days', { count: Math.round(hours / 24) });
}

/** `8 min. ago`, as the language of the staff puts it. */
export function toAgo(moment: string, now: number): string {
  const ms = now - Date.parse(moment);
  if (ms < 45_000) return t('just_now');
  const words = new Intl.RelativeTimeFormat(locale(), { style: 'short' });
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return words.format(-minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? words.format(-hours, 'hour') : words.format(-Math.round(hours / 24), 'day');
}

/** The first language of the store whose pages are open. */
let ofStore: string | undefined;

export function setStoreLanguage(tag: string | undefined): void {
  ofStore = tag;
}

/** A text in the language that a page is set to, else in the staff's, else in the store's first, else in any it has. */
export function toText(
  text: { readonly translations: Readonly<Record<string, string>> } | undefined,
  chosen?: string,
): string {
  const translations = text?.translations ?? {};
  for (const wanted of [chosen, language(), ofStore]) {
    const found = wanted === undefined ? undefined : findTag(Object.keys(translations), wanted);
    if (found !== undefined && translations[found] !== '') return translations[found] ?? '';
  }
  return Object.values(translations).find((one) => one !== '') ?? '';
}

/** The tag itself, else one of the same language: `pt-BR` is read by whoever reads `pt`. */
export function findTag(tags: readonly string[], wanted: string): string | undefined {
  const base = (tag: string) => tag.toLowerCase().split('-')[0];
  return tags.find((tag) => tag === wanted) ?? tags.find((tag) => base(tag) === base(wanted));
}

/** A day as the staff write it, such as `24/12/2026` for 2026-12-24; days have no time zone. */
export function toDate(date: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', dateStyle: 'medium' }).format(Date.parse(date));
}

/** What guests pay, with the tax in it beside it: `€6.05 (tax 10 %)`. */
export function toGross(
  { price, tax }: { readonly price: number; readonly tax: number },
  currency: string | undefined,
): string {
  const amount = toMoney(price + tax, currency);
  if (tax === 0) return amount;
  const rate = findRate(price, tax);
  return t('amount_with_tax', { amount, tax: rate === undefined ? toMoney(tax, currency) : toRate(rate) });
}

/** `10 %` of 100,000 millionths. */
export function toRate(rate: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 4 }).format(
    rate / 1_000_000,
  );
}

/**
 * What the kitchen calls. Orders from before have no number of their own. The start of an id is its time; the end of it is the
 * store's, and the same for all its orders.
 */
export function toCallNumber(order: {
  readonly id: string;
  readonly number?: number | undefined;
  readonly external_id?: string | undefined;
}): string {
  const { number, external_id: own } = order;
  if (number !== undefined) return String(number);
  if (own !== undefined) return own.length <= 6 ? own : own.slice(-4);
  return order.id.slice(-12, -8).toUpperCase();
}

/** Who ordered, and where. Orders from before have the place in the name. */
export function toNameAtPlace(order: {
  readonly customer: { readonly name: string };
  readonly number?: number | undefined;
  readonly place?: { readonly label: string } | undefined;
}): string {
  const { customer, place, number } = order;
  if (place === undefined || number === undefined) return customer.name;
  return customer.name === '' ? place.label : `${customer.name}, ${place.label}`;
}

/** Who ordered, without the place that the name ends with in orders from before. */
export function toGuestName(order: {
  readonly number?: number | undefined;
  readonly customer: { readonly name: string };
  readonly place?: { readonly label: string } | undefined;
}): string {
  const { customer, place, number } = order;
  if (place === undefined || number !== undefined) return customer.name;
  const end = `, ${place.label}`;
  return customer.name.endsWith(end) ? customer.name.slice(0, -end.length) : '';
}

/** As the spreadsheets on this computer will expect it. */
export function decimalSign(): '.' | ',' {
  const parts = new Intl.NumberFormat().formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}
