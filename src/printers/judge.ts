import type { Place } from '../access/principal.js';
import type { StoredEvent } from '../events/event.js';
import { linesBeyond, readLines, type Line } from '../orders/lines.js';
import { isGivenUp, type OrderStatus } from '../orders/status.js';
import type { TicketOrder } from '../orders/ticket.js';
import type { Queryable } from '../postgres/database.js';
import { type StoredPrinter } from './printers.sql.js';
import { areFormerLinesErased, readFormer, type PrintedTicket } from './tickets.sql.js';

/** An order as it is read for a ticket. */
export interface PrintedOrder extends TicketOrder {
  readonly status: OrderStatus;
  readonly revision: number;
  readonly items: readonly unknown[];
  readonly external_id?: string;
  readonly place?: Place;
}

/** Why an order is printed, and what changed since it was. */
export interface Judged {
  readonly kind: 'new' | 'changed' | 'cancelled' | 'copy';
  readonly order: PrintedOrder;
  readonly added: readonly Line[];
  readonly removed: readonly Line[];
}

export interface JudgeContext {
  readonly db: Queryable;
  readonly storeKey: number;
  readonly printer: StoredPrinter;
  readonly prepTypes: ReadonlyMap<string, string>;
}

/** An event with its order as it is now, and what this printer has printed of that. */
export interface PrintedEvent {
  readonly event: StoredEvent;
  readonly order: PrintedOrder | undefined;
  readonly printed: PrintedTicket | undefined;
}

/** What is worth a new ticket. A new time is not: kitchens give themselves ten more minutes all evening. */
const CHANGES = {
  kitchen: ['items', 'customer_comments'],
  receipt: ['items', 'charges', 'discounts', 'tip', 'price', 'tax'],
} as const;

/** Whether an event gives its order a ticket, as the order is now and after what this printer has printed of it. */
export async function judgeEvent(
  { db, storeKey, printer, prepTypes }: JudgeContext,
  { event, order: now, printed }: PrintedEvent,
): Promise<Judged | undefined> {
  if (now === undefined) return undefined;
  const { settings, job } = printer;
  const { services, prints, on } = settings;
  if (services !== undefined && now.service !== undefined && !services.includes(now.service))
    return undefined;
  // Fetched, and perhaps printed without a confirmation: it comes again as it was, and what has changed since comes after it.
  const fetched = job === null || job.fetches === 0 ? undefined : job.orders.find(({ id }) => id === now.id);
  if (isGivenUp(now.status))
    return (printed ?? fetched) !== undefined && printed?.cancelled !== true
      ? { kind: 'cancelled', order: now, added: [], removed: [] }
      : undefined;
  const orderAt = async (revision = now.revision): Promise<PrintedOrder> => {
    if (revision >= now.revision) return now;
    const wanted = { orderId: now.id, revision, fields: CHANGES[prints] };
    return { ...now, revision, ...Object.fromEntries(await readFormer(db, storeKey, wanted)) };
  };
  const own = ({ items }: PrintedOrder) => splitLines(readLines(items), settings.prep_types, prepTypes).lines;
  const order = await orderAt(fetched?.revision);
  const lines = own(order);
  if (printed === undefined) {
    const isWanted =
      lines.length > 0 &&
      (order.status !== 'PENDING' || on === 'created') &&
      (order.status !== 'FULFILLED' || prints === 'receipt') &&
      mayBeginTicket(event);
    return isWanted ? { kind: 'new', order, added: [], removed: [] } : undefined;
  }
  if (order.revision <= printed.revision) return undefined;
  const { revision, changesLines } = readChange(event);
  // What was added and taken away nobody knows any more; the kitchen still has to hear of it.
  if (
    changesLines &&
    revision > printed.revision &&
    (await areFormerLinesErased(db, storeKey, { orderId: now.id, revision }))
  )
    return { kind: 'changed', order, added: [], removed: [] };
  const former = await orderAt(printed.revision);
  const [added, removed] = [linesBeyond(lines, own(former)), linesBeyond(own(former), lines)];
  const isOther = CHANGES[prints].some(
    (field) => field !== 'items' && JSON.stringify(order[field]) !== JSON.stringify(former[field]),
  );
  const isChanged = added.length > 0 || removed.length > 0 || (isOther && lines.length > 0);
  return isChanged ? { kind: 'changed', order, added, removed } : undefined;
}

/** An old order is not printed because it was read, paid or erased; new lines may be the first ones for a station. */
function mayBeginTicket(event: StoredEvent): boolean {
  return event.type !== 'order.updated' || readChange(event).changesLines;
}

function readChange({ data }: StoredEvent) {
  const { revision, changed } = JSON.parse(data) as { revision: number; changed?: readonly string[] };
  return { revision, changesLines: changed?.includes('items') === true };
}

/** The lines that a printer prints, and how many each other station has. One without a prep_type goes to every printer. */
export function splitLines(
  lines: readonly Line[],
  wanted: readonly string[] | undefined,
  prepTypes: ReadonlyMap<string, string>,
) {
  const stationOf = ({ externalId = '' }: Line) => prepTypes.get(externalId);
  const isOwn = (line: Line) => {
    const station = stationOf(line);
    return wanted === undefined || station === undefined || wanted.includes(station);
  };
  const elsewhere = new Map<string, number>();
  for (const line of lines)
    if (!isOwn(line)) {
      const station = stationOf(line) ?? '';
      elsewhere.set(station, (elsewhere.get(station) ?? 0) + line.quantity);
    }
  return { lines: lines.filter(isOwn), elsewhere };
}
