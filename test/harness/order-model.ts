import fc from 'fast-check';
import type { OrderBody } from './orders.js';

/** What a plain list of orders would answer, with the contract's own words for folding and nothing shared with the service. */
export interface ModelOrder {
  readonly id: string;
  readonly createdAt: number;
  readonly name: string;
  readonly phone: string;
  status: string;
}

export interface ModelFilter {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly status?: string | undefined;
  readonly pageIndex: number;
  readonly pageSize: number;
}

export const STATUSES = [
  'PENDING',
  'CUSTOMER_CANCELLED',
  'STORE_CANCELLED',
  'ACCEPTED',
  'REJECTED',
  'READY',
  'FULFILLED',
];

const NEXT: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['ACCEPTED', 'REJECTED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED'],
  ACCEPTED: ['READY', 'FULFILLED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED'],
  READY: ['FULFILLED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED'],
};

export function modelMayMove(from: string, to: string): boolean {
  return from === to || (NEXT[from] ?? []).includes(to);
}

export function toModel(order: OrderBody): ModelOrder {
  return {
    id: order.id,
    createdAt: Date.parse(order.created_at),
    name: order.customer.name,
    phone: order.customer.phone,
    status: order.status,
  };
}

const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', đ: 'd' };

function fold(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[łøßæđ]/g, (letter) => LETTERS[letter] ?? letter);
}

export function modelList(
  orders: readonly ModelOrder[],
  filter: ModelFilter,
): { count: number; ids: string[] } {
  const { start = -Infinity, end = Infinity, name = '', phone = '', status, pageIndex, pageSize } = filter;
  const matching = orders
    .filter((order) => order.createdAt >= start && order.createdAt < end)
    .filter((order) => status === undefined || order.status === status)
    .filter((order) => fold(order.name).includes(fold(name)))
    .filter((order) => order.phone.replace(/\D/g, '').includes(phone.replace(/\D/g, '')))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const from = (pageIndex - 1) * pageSize;
  return { count: matching.length, ids: matching.slice(from, from + pageSize).map(({ id }) => id) };
}

export function toQuery(filter: ModelFilter): Record<string, string> {
  const { start, end, name, phone, status, pageIndex, pageSize } = filter;
  const given = {
    start_time: start === undefined ? undefined : new Date(start).toISOString(),
    end_time: end === undefined ? undefined : new Date(end).toISOString(),
    customer_name: name,
    phone_number: phone,
    status,
    page_index: String(pageIndex),
    page_size: String(pageSize),
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const START = Date.UTC(2026, 0, 1);
const DAYS = 100;

export const names = fc.oneof(
  fc.constantFrom('Łukasz Nowak', 'Ana María', 'Straße', '李小龍', '100%_\\', 'Søren Ægir', 'a', ''),
  fc.string({ maxLength: 12 }),
  fc
    .tuple(fc.constantFrom('Ana', 'Łukasz', 'Wei'), fc.stringMatching(/^[a-z]{3,8}$/))
    .map((parts) => parts.join(' ')),
);
export const phones = fc.stringMatching(/^\+?[0-9 -]{0,12}[0-9]$/);
export const statuses = fc.constantFrom(...STATUSES);
/** Often on the hour, and often the same. */
export const moments = fc.oneof(
  fc.integer({ min: 0, max: DAYS * 24 }).map((hour) => START + hour * 3_600_000),
  fc.integer({ min: 0, max: DAYS * 86_400_000 }).map((ms) => START + ms),
  fc.constantFrom(START, START + 1, START + 32 * 86_400_000),
);

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

export const filters: fc.Arbitrary<ModelFilter> = fc
  .record({
    bounds: fc.tuple(maybe(moments), maybe(moments)),
    name: maybe(
      fc.oneof(
        fc.constantFrom('lukasz', 'ANA', 'strasse', '小', '龍', '%', '_', '\\', 'now', 'ss', 'an'),
        fc.string({ maxLength: 3 }),
      ),
    ),
    phone: maybe(fc.stringMatching(/^[0-9]{1,5}$/)),
    status: maybe(statuses),
    pageIndex: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
    pageSize: fc.constantFrom(1, 7, 20, 100),
  })
  .map(({ bounds: [a, b], ...rest }) => {
    const isTurned = a !== undefined && b !== undefined && a > b;
    return { start: isTurned ? b : a, end: isTurned ? a : b, ...rest };
  });
