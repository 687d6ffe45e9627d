import { priceOf, shownName, shownQuantity, taxOf, type Line, type LineModifier } from './lines.js';
import type { TicketWords } from './ticket-words.js';

/** The one layout of an order on paper: printers, the browser and the terminal show the same rows, each in its own way. */
export interface TicketRow {
  readonly style: 'plain' | 'strong' | 'large' | 'note' | 'rule';
  readonly text: string;
  /** At the other end of the row. */
  readonly end?: string;
  /** How many steps it is moved in. */
  readonly indent?: number;
}

interface Amount {
  readonly name: string;
  readonly price: number;
  readonly tax: number;
}

export interface TicketOrder {
  readonly id: string;
  readonly number?: number | undefined;
  readonly service?: 'dine_in' | 'pickup' | 'delivery' | undefined;
  readonly place?: { readonly label: string } | undefined;
  readonly ready_by: string;
  readonly created_at: string;
  readonly customer: { readonly name: string; readonly phone: string };
  readonly customer_comments?: string | undefined;
  readonly charges?: readonly Amount[] | undefined;
  readonly discounts?: readonly Amount[] | undefined;
  readonly tip?: number | undefined;
  readonly price: number;
  readonly tax: number;
  readonly due: number;
  readonly delivery?:
    | {
        readonly address: {
          readonly line_1: string;
          readonly line_2?: string;
          readonly postal_code?: string;
          readonly city?: string;
        };
        readonly notes?: string;
      }
    | undefined;
  readonly source?: { readonly name: string; readonly reference?: string } | undefined;
}

export interface TicketView {
  readonly words: TicketWords;
  readonly title: string;
  /** What kind of ticket it is, and whether it may have been printed before. */
  readonly marks?: readonly string[];
  readonly lines: readonly Line[];
  readonly added?: readonly Line[];
  readonly removed?: readonly Line[];
  /** How many lines each other station has. */
  readonly elsewhere?: ReadonlyMap<string, number>;
  readonly hasAmounts: boolean;
  /** Between a quantity and a name. */
  readonly times: string;
  readonly time: (instant: string) => string;
  readonly money: (amount: number) => string;
  readonly nameOf?: (entry: Line | LineModifier) => string | undefined;
  readonly allergensOf?: (line: Line) => string | undefined;
}

const RULE: TicketRow = { style: 'rule', text: '' };
/** What is nested deeper than any menu nests it needs no more of the row. */
const DEEPEST_INDENT = 6;

export function layTicket(order: TicketOrder, view: TicketView): TicketRow[] {
  const { words, time, added = [], removed = [], elsewhere = new Map<string, number>() } = view;
  const { number, service, place, customer_comments: comments = '' } = order;
  const where = [service && words(service), place?.label].filter((part) => part !== undefined).join(', ');
  const listed = (lines: readonly Line[], hasAmounts = false) =>
    lines.flatMap((line) => layLine(line, view, hasAmounts));
  const rows: (TicketRow | undefined)[] = [
    ...(view.marks ?? []).map((mark) => row('large', mark)),
    row('strong', view.title),
    row('large', number === undefined ? '' : words('number', { n: number })),
    row('strong', where),
    row('strong', words('for', { time: time(order.ready_by) })),
    row('plain', words('placed', { time: time(order.created_at) })),
    ...(added.length === 0 ? [] : [RULE, row('strong', words('added')), ...listed(added)]),
    ...(removed.length === 0 ? [] : [RULE, row('strong', words('removed')), ...listed(removed)]),
    RULE,
    ...listed(view.lines, view.hasAmounts && addsUp(order, view.lines)),
    ...[...elsewhere].map(([station, count]) => row('plain', words('elsewhere', { count, station }))),
    row('note', comments === '' ? '' : `“${comments}”`),
    RULE,
    ...(view.hasAmounts ? layAmounts(order, view) : []),
    ...layPeople(order),
  ];
  return rows.filter((one) => one !== undefined);
}

function row(style: TicketRow['style'], text: string, indent = 0): TicketRow | undefined {
  return text === '' ? undefined : { style, text, indent };
}

/** A line with its modifiers, those of a modifier below it. */
function layLine(line: Line, view: TicketView, hasAmount: boolean): (TicketRow | undefined)[] {
  const allergens = view.allergensOf?.(line);
  const entry = row('strong', layEntry(line, view, `1${view.times}`));
  return [
    entry && hasAmount ? { ...entry, end: view.money(grossOf(line)) } : entry,
    ...line.modifiers.map((modifier) =>
      row('plain', `+ ${layEntry(modifier, view, '')}`, Math.min(modifier.depth + 1, DEEPEST_INDENT)),
    ),
    row('note', line.comments === undefined ? '' : `“${line.comments}”`, 1),
    row('plain', allergens === undefined ? '' : view.words('allergens', { list: allergens }), 1),
  ];
}

/** Amounts of lines are shown where they explain the total: an order need not state them. */
function addsUp({ price, tax, charges = [], discounts = [] }: TicketOrder, lines: readonly Line[]): boolean {
  const sum = (amounts: readonly Amount[]) => amounts.reduce((total, one) => total + one.price + one.tax, 0);
  const ofLines = lines.reduce((total, line) => total + grossOf(line), 0);
  return ofLines + sum(charges) - sum(discounts) === price + tax;
}

function grossOf(line: Line): number {
  return priceOf(line) + taxOf(line);
}

/** What nothing names is shown as it was sent. */
function layEntry(entry: Line | LineModifier, { nameOf, times }: TicketView, ifOne: string): string {
  const [name, quantity] = [nameOf?.(entry) ?? shownName(entry), shownQuantity(entry)];
  if (name === undefined) return JSON.stringify(entry.sent);
  return quantity === '1' ? ifOne + name : `${quantity}${times}${name}`;
}

function layAmounts(order: TicketOrder, { words, money }: TicketView): TicketRow[] {
  const amount = (text: string, value: number): TicketRow => ({ style: 'plain', text, end: money(value) });
  return [
    ...(order.charges ?? []).map(({ name, price, tax }) => amount(name, price + tax)),
    ...(order.discounts ?? []).map(({ name, price, tax }) => amount(name, -price - tax)),
    { ...amount(words('total'), order.price + order.tax), style: 'strong' },
    ...(order.tip === undefined ? [] : [amount(words('tip'), order.tip)]),
    order.due === 0 ? { style: 'plain', text: words('paid') } : amount(words('due'), order.due),
  ];
}

/** After such letters, the digits of a phone number in the same row would change places. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

function layPeople({ delivery, source, customer }: TicketOrder): (TicketRow | undefined)[] {
  const { line_1: street, line_2: more, postal_code: code, city } = delivery?.address ?? {};
  const joined = (parts: readonly (string | undefined)[], between: string) =>
    parts.filter((part) => part !== undefined && part !== '').join(between);
  return [
    row('plain', joined([street, more, code, city], ', ')),
    row('note', delivery?.notes === undefined ? '' : `“${delivery.notes}”`),
    row('plain', joined([source?.name, source?.reference], ' ')),
    ...(RIGHT_TO_LEFT.test(customer.name)
      ? [row('plain', customer.name), row('plain', customer.phone)]
      : [row('plain', joined([customer.name, customer.phone], ', '))]),
  ];
}
