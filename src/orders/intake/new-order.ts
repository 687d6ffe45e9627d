import { hash } from 'node:crypto';
import type { Place } from '../../access/principal.js';
import { valueError } from '../../support/error-details.js';
import { countItems, readLines, type Line } from '../lines.js';
import { prepMinutesOf, type PrepTimes } from './portions.js';
import { dueOf, factsText, readFacts, referenceKeys, type Facts } from '../facts.js';
import { nameAt } from '../json.sql.js';
import { factLines, soldLines } from '../sales/sales.js';
import { searchedOrder } from '../list/search-text.js';
import type { ImportedOrder, OrderRequest } from '../request-shapes.js';
import { isFinal } from '../status.js';

export type NewOrder = ReturnType<typeof newOrder>;

export interface Arrival {
  readonly storeKey: number;
  /** Default: UTC. */
  readonly timezone: string | undefined;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The promised time of an order that states none. */
  readonly readyBy?: string | undefined;
  readonly prepTimes?: PrepTimes | undefined;
  /** The lines of the request, where they have been read already. */
  readonly lines?: readonly Line[];
  readonly place?: Place | undefined;
  readonly label?: string | undefined;
  /** The original request, if the order is stored in another form. Repetitions are recognised by it. */
  readonly asked?: OrderRequest | undefined;
}

/** Three quarters of the import's limit for a line, so that every order taken in singly can also be imported. */
const MOST_ITEM_BYTES = 786_432;

/** An order ready to be written, with everything the indexes are fed with. Instants are RFC 3339 in UTC. */
export function newOrder(request: OrderRequest | ImportedOrder, arrival: Arrival) {
  const { customer, status = 'PENDING' } = request;
  const items = itemsText(request.items);
  const { asked = request, lines = readLines(request.items) } = arrival;
  const imported: Partial<ImportedOrder> = request;
  const place = arrival.place ?? imported.place;
  // An imported order without a number has the place in its name already.
  const placeInName = arrival.place ?? (imported.number === undefined ? undefined : imported.place);
  const facts = readFacts(request, arrivalTime(arrival), arrival.label);
  return {
    id: arrival.id,
    ...orderTimes(request, arrival.at),
    readyBy: request.ready_by ?? arrival.readyBy ?? arrivalTime(arrival),
    status,
    isRead: imported.is_read ?? false,
    inPos: imported.in_pos ?? false,
    price: request.price,
    tax: request.tax,
    externalId: request.external_id,
    /** Hexadecimal. */
    fingerprint: fingerprintOf(asked, asked.items === request.items ? items : undefined),
    customerName: customer.name,
    customerPhone: customer.phone,
    customerComments: request.customer_comments,
    /** Of an import: why the store rejected, cancelled or changed it, and its number. */
    reason: imported.reason,
    reasonText: imported.reason_text,
    number: imported.number,
    place,
    /** JSON text of what it says beside its lines. */
    facts: factsText(facts),
    due: dueOf(request.price, request.tax, facts),
    referenceKeys: referenceKeys(arrival.storeKey, facts.references),
    /** The JSON text in which the items are given back. */
    items,
    /** How many items the kitchen makes for it. */
    itemCount: countItems(lines),
    /** Of an import: how long they take together, where the store has settings of pace. */
    prepMinutes: arrival.prepTimes && prepMinutesOf(lines, arrival.prepTimes),
    /** The sums of its lines, by item. */
    sold: [...soldLines(lines), ...factLines(request, facts)],
    /** The store's time zone, in which the order is counted in the sales. */
    timezone: arrival.timezone ?? 'UTC',
    ...searchedOrder(arrival.storeKey, nameAt(customer.name, placeInName), customer.phone),
  };
}

/** Times of an order; those that the request does not state are the time of intake. */
export function orderTimes(request: OrderRequest | ImportedOrder, at: number) {
  const { created_at: createdAt, completed_at: completedAt, status = 'PENDING' } = request;
  const arrivedAt = new Date(at).toISOString();
  return {
    createdAt: createdAt ?? arrivedAt,
    createdMs: createdAt === undefined ? at : Date.parse(createdAt),
    arrivedAt,
    completedAt: isFinal(status) ? (completedAt ?? arrivedAt) : undefined,
  };
}

const arrivalTime = ({ at }: Arrival) => new Date(at).toISOString();

export function itemsText(items: readonly unknown[]): string {
  const text = JSON.stringify(items);
  if (Buffer.byteLength(text) <= MOST_ITEM_BYTES) return text;
  throw valueError(['body', 'items'], `the items of an order take at most ${MOST_ITEM_BYTES} bytes of JSON`);
}

/** Two requests for the same order have the same fingerprint, however they are spelled. `items` is their JSON, where it is known. */
export function fingerprintOf(request: OrderRequest, items = JSON.stringify(request.items)): string {
  const { customer } = request;
  const fields = JSON.stringify([
    customer.name,
    customer.phone,
    request.price,
    request.tax,
    request.ready_by ?? null,
    request.customer_comments ?? null,
    request.created_at ?? null,
    request.status ?? null,
    request.external_id ?? null,
    // At the end and only where stated, so that orders taken in before it could be keep their fingerprint.
    ...(request.completed_at === undefined ? [] : [request.completed_at]),
  ]);
  return hash('sha256', fields + items + (factsText(request as Facts) ?? ''), 'hex').slice(0, 32);
}
