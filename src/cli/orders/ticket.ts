import type { ManagedOrder, ManagedStore } from '#sdk';
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
export async function showOrder(context: CommandContext, order: ManagedOrder): Promise<void> {
  const { client, terminal, out } = context;
  if (out.isJson || !terminal.isForPeople) return out.record(order);
  const store = await client.getManagedStore(order.store.id);
  for (const line of describeTicket(terminal, order, store)) writeLine(terminal.stdout, line);
}

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
  const before = '    '.repeat(indent);
  const plain = toPlain(text);
  const lines =
    end === undefined
      ? wrapTo(plain, width - before.length).map((line) => before + line)
      : apart(plain, end, width);
  return style === 'plain' || style === 'note' ? lines : lines.map((line) => paint(terminal, 'bold', line));
}

/** Puts the two texts at either end of a line. */
export function apart(left: string, right: string, width: number): string[] {
  const lines = wrapTo(left, width);
  const last = lines.pop() ?? '';
  const gap = width - stringWidth(last) - stringWidth(right);
  return gap < 1 ? [...lines, last, right] : [...lines, last + ' '.repeat(gap) + right];
}
