import type { Client, ManagedStore, Order } from '#sdk';
import stringWidth from 'string-width';
import { DEEPEST_MODIFIERS } from '../../menus/modifier-groups.js';
import { nameOf } from '../lib/arguments.js';
import type { CommandContext } from '../lib/command.js';
import { toLocalTime, toMoney } from '../lib/locale.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain, wrapTo } from '../lib/text.js';

const WIDEST = 60;

/** Prints a ticket in a terminal, every field otherwise. */
export async function showOrder(
  { terminal, out }: Pick<CommandContext, 'terminal' | 'out'>,
  client: Client,
  order: Order,
): Promise<void> {
  if (out.isJson || !terminal.isForPeople) {
    out.record(order);
    return;
  }
  const store = await client.getManagedStore(order.store.id);
  for (const line of describeTicket(terminal, order, store)) writeLine(terminal.stdout, line);
}

/** An order as a kitchen ticket, in the store's timezone and currency. */
function describeTicket(terminal: Terminal, order: Order, store: ManagedStore): string[] {
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
    `Received ${toLocalTime(order.created_at, store.timezone)}`,
    ...wrapped(order.id),
  ];
}

type Wrapped = (text: string, indent?: string) => string[];

/** Shows a line whatever its shape; one without a name is shown as JSON. */
function describeItem(terminal: Terminal, item: Record<string, unknown>, wrapped: Wrapped): string[] {
  return [
    ...wrapped(describePart(item, '1 x ')).map((line) => paint(terminal, 'bold', line)),
    ...describeModifiers(item, wrapped, '    '),
    ...(typeof item['comments'] === 'string' ? wrapped(`“${item['comments']}”`, '    ') : []),
  ];
}

/** Lists the modifiers, with those chosen for each below it, down to a depth that no menu exceeds. */
function describeModifiers(part: unknown, wrapped: Wrapped, indent: string): string[] {
  const { modifiers } = Object(part) as { modifiers?: unknown };
  if (!Array.isArray(modifiers) || indent.length > DEEPEST_MODIFIERS * 4) return [];
  return (modifiers as unknown[]).flatMap((modifier) => [
    ...wrapped(`+ ${describePart(modifier, '')}`, indent),
    ...describeModifiers(modifier, wrapped, `${indent}    `),
  ]);
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

/** Puts the two texts at either end of a line. */
export function apart(left: string, right: string, width: number): string[] {
  const gap = width - stringWidth(left) - stringWidth(right);
  return gap < 1 ? [left, right] : [left + ' '.repeat(gap) + right];
}
