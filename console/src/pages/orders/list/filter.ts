import type { ListOrdersQuery } from '#sdk';
import { fromWall } from '../../../../../src/calendar/wall-clock.js';
import { readSearch } from './search.js';

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
