import type { Client, ManagedOrder, ManagedStore } from '#sdk';
import stringWidth from 'string-width';
import { readLines } from '../../orders/lines.js';
import { layTicket, type TicketOrder, type TicketRow } from '../../orders/ticket.js';
import { ticketWords } from '../../orders/ticket-words.js';
import { nameOf } from '../lib/arguments.js';
import type { CommandContext } from '../lib/command.js';
import { toLocalTime } from '../lib/locale.js';
import { toMoney } from '../../support/minor-units.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain, wrapTo } from '../lib/text.js';

const WIDEST = 60;

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
  const rows = layTicket(order as TicketOrder, {
    words: ticketWords('en'),
    title: nameOf(store),
    marks: [order.status],
    lines: readLines(order.items),
    hasAmounts: true,
    times: ' x ',
    time: (instant) => toLocalTime(instant, store.timezone),
    money: (amount) => toMoney(amount, store.currency),
  });
  return [...rows.flatMap((row) => describeRow(terminal, row, width)), ...wrapTo(order.id, width)];
}

function describeRow(
  terminal: Terminal,
  { style, text, end, indent = 0 }: TicketRow,
  width: number,
): string[] {
  if (style === 'rule') return [''];
  if (end !== undefined) return apart(toPlain(text), end, width);
  const before = '    '.repeat(indent);
  const lines = wrapTo(toPlain(text), width - before.length).map((line) => before + line);
  return style === 'plain' || style === 'note' ? lines : lines.map((line) => paint(terminal, 'bold', line));
}

/** Puts the two texts at either end of a line. */
export function apart(left: string, right: string, width: number): string[] {
  const gap = width - stringWidth(left) - stringWidth(right);
  return gap < 1 ? [left, right] : [left + ' '.repeat(gap) + right];
}
