import type { ManagedStore, Order } from '#sdk';
import { toMoney } from './money.js';
import { toPlain } from './plain-text.js';
import { nameOf } from './store-argument.js';
import { paint, type Terminal } from './terminal.js';
import { widthOf, wrapTo } from './text-width.js';
import { toLocalTime } from './times.js';

const WIDEST = 60;

/** An order as a kitchen wants it: what is made, for when, with what; in times and amounts of the store. */
export function describeTicket(terminal: Terminal, order: Order, store: ManagedStore): string[] {
  const width = Math.min(terminal.columns, WIDEST);
  const wrapped = (text: string, indent = '') =>
    wrapTo(toPlain(text), width - indent.length).map((line) => indent + line);
  const comment = order.customer_comments ?? '';
  return [
    ...wrapped(nameOf(store)).map((line) => paint(terminal, 'bold', line)),
    ...wrapped(`${order.status}, for ${toLocalTime(order.ready_by, store.timezone)}`),
    '',
    ...order.items.flatMap((item) => describeItem(terminal, item, wrapped)),
    ...(comment === '' ? [] : ['', ...wrapped(`“${comment}”`)]),
    '',
    ...apart('Total', toMoney(order.price + order.tax, store.currency), width),
    ...wrapped(`${order.customer.name}, ${order.customer.phone}`),
    `Came in ${toLocalTime(order.created_at, store.timezone)}`,
    ...wrapped(order.id),
  ];
}

type Wrapped = (text: string, indent?: string) => string[];

/** Whatever an order was taken in with is shown; what has no name is shown as it is. */
function describeItem(terminal: Terminal, item: Record<string, unknown>, wrapped: Wrapped): string[] {
  const modifiers = Array.isArray(item['modifiers']) ? (item['modifiers'] as unknown[]) : [];
  return [
    ...wrapped(describePart(item, '1 x ')).map((line) => paint(terminal, 'bold', line)),
    ...modifiers.flatMap((modifier) => wrapped(`+ ${describePart(modifier, '')}`, '    ')),
    ...(typeof item['comment'] === 'string' ? wrapped(`“${item['comment']}”`, '    ') : []),
  ];
}

function describePart(part: unknown, ifOne: string): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part);
  const { name, external_id: id, quantity = 1 } = part as Record<string, unknown>;
  const known = textOf(name) ?? textOf(id);
  if (known === undefined) return JSON.stringify(part);
  return quantity === 1 ? ifOne + known : `${String(quantity)} x ${known}`;
}

function textOf(name: unknown): string | undefined {
  if (typeof name === 'string') return name === '' ? undefined : name;
  if (typeof name !== 'object' || name === null) return undefined;
  const text = nameOf({ name });
  return text === '' ? undefined : text;
}

/** The two at the two ends of a line. */
function apart(left: string, right: string, width: number): string[] {
  const gap = width - widthOf(left) - widthOf(right);
  return gap < 1 ? [left, right] : [left + ' '.repeat(gap) + right];
}
