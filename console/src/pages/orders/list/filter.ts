import type { ListOrdersQuery } from '#sdk';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { STATUS_WORDS, type OrderStatus } from '../../../ui/order-status.js';

/** What is looked for, as the address of the page has it; days are those of the store. */
export interface Filter {
  /** As typed: a number, a name, a part of a phone number, a status. */
  readonly text: string;
  /** The first and the last day, both included: `2026-11-15`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly page: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readFilter(query: URLSearchParams): Filter {
  const day = (name: string) =>
    DAY.test(query.get(name) ?? '') ? (query.get(name) ?? undefined) : undefined;
  return {
    text: query.get('q')?.trim() ?? '',
    from: day('from'),
    to: day('to'),
    page: Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1),
  };
}

export function isFiltered({ text, from, to }: Filter): boolean {
  return text !== '' || from !== undefined || to !== undefined;
}

/** No day is in such a stretch of them. */
export function isBackwards({ from, to }: Filter): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export function toQuery(filter: Filter, timezone: string, pageSize: number): ListOrdersQuery {
  const { status, name, phone } = readSearch(filter.text);
  return {
    status,
    customer_name: name,
    phone_number: phone,
    start_time: filter.from && startOf(filter.from, timezone),
    end_time: filter.to && startOf(nextDay(filter.to), timezone),
    page_index: filter.page,
    page_size: pageSize,
  };
}

function startOf(day: string, timezone: string): string {
  return new Date(fromWall(`${day}T00:00`, timezone)).toISOString();
}

function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** What a text in the search box asks for; what is left out is not asked for. */
export interface Search {
  readonly status: OrderStatus | undefined;
  readonly name: string | undefined;
  readonly phone: string | undefined;
  /** What may be the number that an order is called by. */
  readonly number: string | undefined;
}

const PHONE_WORD = /^[+(]?\d[\d().+/-]*$/;

/** Reads `ready nowak 555 01`: the words of a status, a part of a phone number, and for the rest a name. */
export function readSearch(text: string): Search {
  const { status, rest } = takeStatus(text);
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const digits = words.filter((word) => PHONE_WORD.test(word)).join(' ');
  const letters = words.filter((word) => !PHONE_WORD.test(word)).join(' ');
  return {
    status,
    name: letters === '' ? undefined : letters,
    phone: digits === '' ? undefined : digits,
    number: words.length === 1 ? words[0] : undefined,
  };
}

function takeStatus(text: string): { status: OrderStatus | undefined; rest: string } {
  const padded = ` ${text.replaceAll(/\s+/g, ' ')} `;
  for (const [status, words] of Object.entries(STATUS_WORDS)) {
    const start = padded.toLowerCase().indexOf(` ${words.toLowerCase()} `);
    if (start < 0) continue;
    const rest = `${padded.slice(0, start)} ${padded.slice(start + words.length + 1)}`;
    return { status: status as OrderStatus, rest };
  }
  return { status: undefined, rest: text };
}
