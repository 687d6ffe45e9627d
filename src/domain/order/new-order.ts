import { hash } from 'node:crypto';
import { valueError } from '../faults.js';
import { foldName, phoneDigits } from './folding.js';
import { gramsOfOrder } from './grams.js';
import type { ImportedOrder, OrderRequest } from './shapes.js';
import { isFinal, type OrderStatus } from './status.js';

/** An order ready to be written, with everything the indexes are fed with. Instants are RFC 3339 in UTC. */
export interface NewOrder extends SearchedOrder, OrderTimes {
  readonly id: string;
  readonly readyBy: string;
  readonly status: OrderStatus;
  readonly isRead: boolean;
  readonly inPos: boolean;
  readonly price: number;
  readonly tax: number;
  readonly externalId: string | undefined;
  /** Hexadecimal. */
  readonly fingerprint: string;
  readonly customerName: string;
  readonly customerPhone: string;
  readonly customerComments: string | undefined;
  /** The JSON text in which the items are given back. */
  readonly items: string;
}

/** What depends on the moment at which an order is taken in, where the request does not say. */
interface OrderTimes {
  readonly createdAt: string;
  readonly createdMs: number;
  readonly arrivedAt: string;
  readonly completedAt: string | undefined;
}

/** What an order is found by. */
export interface SearchedOrder {
  readonly name: string;
  readonly digits: string;
  /** Whether name or digits are too long for an index row. Such an order is found by comparing its texts, not by grams. */
  readonly isLong: boolean;
  readonly grams: readonly number[];
}

export interface Arrival {
  readonly storeKey: number;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Three quarters of the import's limit for a line, so that every order taken in singly can also be imported. */
const MOST_ITEM_BYTES = 786_432;
const LONGEST_NAME_KEY_BYTES = 512;
const LONGEST_DIGITS_KEY = 64;

export function newOrder(request: OrderRequest | ImportedOrder, arrival: Arrival): NewOrder {
  const { customer, status = 'PENDING' } = request;
  const items = itemsText(request.items);
  const imported: Partial<ImportedOrder> = request;
  return {
    id: arrival.id,
    ...orderTimes(request, arrival.at),
    readyBy: request.ready_by,
    status,
    isRead: imported.is_read ?? false,
    inPos: imported.in_pos ?? false,
    price: request.price,
    tax: request.tax,
    externalId: request.external_id,
    fingerprint: fingerprintOf(request, items),
    customerName: customer.name,
    customerPhone: customer.phone,
    customerComments: request.customer_comments,
    items,
    ...searchedOrder(arrival.storeKey, customer.name, customer.phone),
  };
}

export function orderTimes(request: OrderRequest | ImportedOrder, at: number): OrderTimes {
  const { created_at: createdAt, completed_at: completedAt, status = 'PENDING' } = request;
  const arrivedAt = new Date(at).toISOString();
  return {
    createdAt: createdAt ?? arrivedAt,
    createdMs: createdAt === undefined ? at : Date.parse(createdAt),
    arrivedAt,
    completedAt: isFinal(status) ? (completedAt ?? arrivedAt) : undefined,
  };
}

export function searchedOrder(storeKey: number, customerName: string, customerPhone: string): SearchedOrder {
  const name = foldName(customerName);
  const digits = phoneDigits(customerPhone);
  const isLong = digits.length > LONGEST_DIGITS_KEY || isOver(name, LONGEST_NAME_KEY_BYTES);
  return { name, digits, isLong, grams: isLong ? [] : gramsOfOrder(storeKey, name, digits) };
}

function itemsText(items: readonly unknown[]): string {
  const text = JSON.stringify(items);
  if (!isOver(text, MOST_ITEM_BYTES)) return text;
  throw valueError(['body', 'items'], `the items of an order take at most ${MOST_ITEM_BYTES} bytes of JSON`);
}

function isOver(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || Buffer.byteLength(text) > bytes;
}

/** The same for two requests that ask for the same order, however they spell it. */
function fingerprintOf(request: OrderRequest, items: string): string {
  const { customer } = request;
  const told = JSON.stringify([
    customer.name,
    customer.phone,
    request.price,
    request.tax,
    request.ready_by,
    request.customer_comments ?? null,
    request.created_at ?? null,
    request.status ?? null,
    request.external_id ?? null,
    // At the end and only where stated, so that orders taken in before it could be keep their fingerprint.
    ...(request.completed_at === undefined ? [] : [request.completed_at]),
  ]);
  return hash('sha256', told + items, 'hex').slice(0, 32);
}
