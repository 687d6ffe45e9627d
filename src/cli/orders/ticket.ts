import type { Client, ManagedOrder, ManagedStore } from '#sdk';
import stringWidth from 'string-width';
import { readLines, shownName, shownQuantity, type Line, type LineModifier } from '../../orders/lines.js';
import { nameOf } from '../lib/arguments.js';
import type { CommandContext } from '../lib/command.js';
import { toLocalTime, toMoney } from '../lib/locale.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain, wrapTo } from '../lib/text.js';

const WIDEST = 60;
/** What is nested deeper than any menu nests it needs no more of the line. */
const DEEPEST_INDENT = 6;

/** Prints a ticket in a terminal, every field otherwise. */
export async function showOrder(
  { terminal, out }: Pick<CommandContext, 'terminal' | 'out'>,
  client: Client,
  order: ManagedOrder,
): Promise<void> {
  if (out.isJson || !terminal.isForPeople) {
    out.record(order);
    return;
  }
  const store = await client.getManagedStore(order.store.id);
  for (const line of describeTicket(terminal, order, store)) writeLine(terminal.stdout, line);
}

/** An order as a kitchen ticket, in the store's timezone and currency. */
function describeTicket(terminal: Terminal, order: ManagedOrder, store: ManagedStore): string[] {
  const width = Math.min(terminal.columns, WIDEST);
  const wrapped = (text: string, indent = '') =>
    wrapTo(toPlain(text), width - indent.length).map((line) => indent + line);
  const comment = order.customer_comments ?? '';
  const { number, service, place, delivery, source } = order;
  const money = (amount: number) => toMoney(amount, store.currency);
  const headline = [
    number === undefined ? undefined : `No. ${number}`,
    service?.replace('_', ' '),
    place?.label,
  ];
  const titles = headline.filter((part) => part !== undefined).join(', ');
  const { line_1: street, line_2: more, postal_code: code, city } = delivery?.address ?? {};
  const address = [street, more, code, city].filter((part) => part !== undefined).join(', ');
  const from = source === undefined ? [] : wrapped([source.name, source.reference].filter(Boolean).join(' '));
  return [
    ...wrapped(nameOf(store)).map((line) => paint(terminal, 'bold', line)),
    ...(titles === '' ? [] : wrapped(titles)).map((line) => paint(terminal, 'bold', line)),
    ...wrapped(`${order.status}, for ${toLocalTime(order.ready_by, store.timezone)}`),
    '',
    ...readLines(order.items).flatMap((line) => describeLine(terminal, line, wrapped)),
    ...(comment === '' ? [] : ['', ...wrapped(`“${comment}”`)]),
    '',
    ...(order.charges ?? []).flatMap(({ name, price, tax }) =>
      apart(toPlain(name), money(price + tax), width),
    ),
    ...(order.discounts ?? []).flatMap(({ name, price, tax }) =>
      apart(toPlain(name), money(-price - tax), width),
    ),
    ...apart('Total', money(order.price + order.tax), width),
    ...(order.tip === undefined ? [] : apart('Tip', money(order.tip), width)),
    ...(order.due === 0 ? ['Paid'] : apart('Due', money(order.due), width)),
    ...(address === '' ? [] : wrapped(address)),
    ...(delivery?.notes === undefined ? [] : wrapped(`“${delivery.notes}”`)),
    ...from,
    ...wrapped(`${order.customer.name}, ${order.customer.phone}`),
    `Received ${toLocalTime(order.created_at, store.timezone)}`,
    ...wrapped(order.id),
  ];
}

type Wrapped = (text: string, indent?: string) => string[];

/** A line with its modifiers, those of a modifier below it. */
function describeLine(terminal: Terminal, line: Line, wrapped: Wrapped): string[] {
  return [
    ...wrapped(describeEntry(line, '1 x ')).map((text) => paint(terminal, 'bold', text)),
    ...line.modifiers.flatMap((modifier) =>
      wrapped(
        `+ ${describeEntry(modifier, '')}`,
        ' '.repeat(4 * Math.min(modifier.depth + 1, DEEPEST_INDENT)),
      ),
    ),
    ...(line.comments === undefined ? [] : wrapped(`“${line.comments}”`, '    ')),
  ];
}

/** What nothing names is shown as it was sent. */
function describeEntry(entry: Line | LineModifier, ifOne: string): string {
  const [name, quantity] = [shownName(entry), shownQuantity(entry)];
  if (name === undefined) return JSON.stringify(entry.sent);
  return quantity === '1' ? ifOne + name : `${quantity} x ${name}`;
}

/** Puts the two texts at either end of a line. */
export function apart(left: string, right: string, width: number): string[] {
  const gap = width - stringWidth(left) - stringWidth(right);
  return gap < 1 ? [left, right] : [left + ' '.repeat(gap) + right];
}
