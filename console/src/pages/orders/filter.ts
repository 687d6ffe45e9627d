import type { ListOrdersQuery, Order } from '#sdk';
import { STATUS_WORDS, type OrderStatus } from '../../parts/order-status.js';
import { fromWall } from '../../parts/wall-clock.js';

/** What is looked for, as the address of the page has it; days are those of the store. */
export interface Filter {
  readonly status: OrderStatus | undefined;
  readonly name: string | undefined;
  readonly phone: string | undefined;
  /** The first and the last day, both included: `2026-11-15`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly page: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readFilter(query: URLSearchParams): Filter {
  const text = (name: string) => {
    const value = query.get(name)?.trim() ?? '';
    return value === '' ? undefined : value;
  };
  const day = (name: string) =>
    DAY.test(query.get(name) ?? '') ? (query.get(name) ?? undefined) : undefined;
  const status = query.get('status') ?? '';
  return {
    status: status in STATUS_WORDS ? (status as Order['status']) : undefined,
    name: text('name'),
    phone: text('phone'),
    from: day('from'),
    to: day('to'),
    page: Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1),
  };
}

export function isFiltered({ status, name, phone, from, to }: Filter): boolean {
  return [status, name, phone, from, to].some((value) => value !== undefined);
}

export function toQuery(filter: Filter, timezone: string, pageSize: number): ListOrdersQuery {
  return {
    status: filter.status,
    customer_name: filter.name,
    phone_number: filter.phone,
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
