import { wallSecond } from '../calendar/wall-clock.js';
import { isMap, memberOf } from '../support/maps.js';
import { valueError } from '../support/error-details.js';
import { toMoney } from '../support/minor-units.js';

/** How answers become short and safe to read: plain texts, amounts and times as people write them, pages. */

export type Json = Record<string, unknown>;

/** What amounts, times and names of a store are written with. */
export interface Wording {
  readonly currency?: string | undefined;
  readonly timezone: string;
  /** The store's first. */
  readonly language?: string | undefined;
}

/** Where no store is concerned. */
export const NO_WORDING: Wording = { timezone: 'UTC' };

/** Characters that a reader does not see, or that change how the rest is read. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;
const HALVES = /[\ud800-\udfff]/gu;
const LONGEST_TEXT = 300;

/** Somebody's words: one line, of a length that cannot drown the rest. */
export function cleanText(text: string): string {
  const clean = text.replace(UNSEEN, ' ').replace(HALVES, '\ufffd').trim();
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT - 1).replace(HALVES, '')}…` : clean;
}

const AMOUNTS = new Set(namesIn('price tax tip due amount price_change tax_change total_price total_tax'));
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Any answer, in the store's words: amounts get a text beside them, moments the store's clock, names one language. */
export function show(value: unknown, wording: Wording): unknown {
  if (typeof value === 'string')
    return MOMENT.test(value) ? toLocal(Date.parse(value), wording.timezone) : cleanText(value);
  if (Array.isArray(value)) return value.map((entry) => show(entry, wording));
  if (!isMap(value)) return value;
  if (isMap(value['translations']) && Object.keys(value).length === 1) return nameOf(value, wording);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const shown: [string, unknown] = [cleanText(key), show(member, wording)];
      const text = moneyText(key, member, wording);
      return text === undefined ? [shown] : [shown, [`${key}_text`, text]];
    }),
  );
}

/** Names of members, as a list. */
export function namesIn(text: string): string[] {
  return text.split(' ');
}

/** The members of these names that it has. */
export function pick(value: unknown, names: readonly string[]): Json {
  const members = names.map((name) => [name, memberOf(value, name)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** A MultilingualText in the store's language, else in its first. */
export function nameOf(text: unknown, { language = '' }: Wording): string {
  const translations = memberOf(text, 'translations');
  const named = Object.entries(isMap(translations) ? translations : {});
  const [, name] = named.find(([tag]) => tag === language) ?? named[0] ?? [];
  return typeof name === 'string' ? cleanText(name) : '';
}

/** An amount as people write it; undefined for what is none. */
export function moneyText(name: string, amount: unknown, { currency }: Wording): string | undefined {
  if (currency === undefined || typeof amount !== 'number' || !AMOUNTS.has(name)) return undefined;
  return toMoney(amount, currency);
}

/** RFC 3339 with the offset of the store's clock, to the second. */
function toLocal(ms: number, timezone: string): string {
  const wall = wallSecond(ms, timezone);
  const offset = Math.round((wall - Math.floor(ms / 1000)) / 60);
  const size = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  return `${new Date(wall * 1000).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${size}`;
}

/** Of the 64 KiB of an answer; the rest is for what stands around it. */
export const MOST_BYTES = 60 * 1024;

/** What a value takes of an answer, which is sent twice: as structure, and as text within JSON. */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
}

/** As many entries of a list as an answer takes beside what it says already, but at least one. */
export function fit<T>(list: readonly T[], beside: Json, showEntry: (entry: T) => unknown): unknown[] {
  const entries: unknown[] = [];
  let bytes = bytesOf(beside);
  for (const entry of list) {
    const shown = showEntry(entry);
    bytes += bytesOf(shown);
    if (bytes > MOST_BYTES && entries.length > 0) break;
    entries.push(shown);
  }
  return entries;
}

/** What an assistant reads of an answer: fields, and lists that come one after the other, in pages. */
export interface Shown {
  readonly fields: Json;
  readonly lists?: Readonly<Record<string, readonly unknown[]>>;
  /** How many entries there are, where the lists begin at the cursor. */
  readonly total?: number;
}

export function toAnswer({ fields, lists = {}, total }: Shown, cursor: unknown, wording: Wording): Json {
  const shown = show(fields, wording) as Json;
  const start = offsetOf(cursor);
  const all = Object.entries(lists).flatMap(([name, list]) => list.map((entry) => ({ name, entry })));
  const rest = total === undefined ? all.slice(start) : all;
  const entries = fit(rest, shown, ({ entry }) => show(entry, wording));
  const parts = Object.keys(lists).map((name) => [name, entries.filter((_, i) => rest[i]?.name === name)]);
  const end = start + entries.length;
  const isLast = entries.length === 0 || end >= (total ?? all.length);
  return { ...shown, ...Object.fromEntries(parts), ...(isLast ? {} : { cursor: String(end) }) } as Json;
}

/** Where a page begins. */
export function offsetOf(cursor: unknown): number {
  if (cursor === undefined || cursor === null) return 0;
  if (typeof cursor !== 'string' || !/^\d{1,9}$/.test(cursor))
    throw valueError(['arguments', 'cursor'], 'not a cursor of this tool', cursor);
  return Number(cursor);
}
