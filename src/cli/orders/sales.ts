import { type ByteStream, type ManagedStore, type Sales, type SalesRow, type SalesTotal, VALUES } from '#sdk';
import { findStore, nameOf, STORE_TEXT } from '../lib/arguments.js';
import { command, type CommandContext, type CommandRow } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import { toLocalTime, toMoment } from '../lib/locale.js';
import { toMoney } from '../../support/minor-units.js';
import type { Column } from '../lib/output.js';
import { writeInTime, writeLine } from '../lib/terminal.js';
import { ifGiven, toPlain, wrapTo } from '../lib/text.js';
import { apart } from './ticket.js';

type Grouping = Sales['by'];

export const SALES_ROWS: readonly CommandRow[] = [
  command('sales', 'show what a store has sold, on its own clock', {
    takes: [STORE_TEXT],
    flags: [
      ['--by <what>', 'what each row adds up', VALUES.GetSalesQuery.by, 'day'],
      ['--since <time>', 'first day: a date, 30d, today or yesterday (default: 6d)'],
      ['--until <time>', 'last day, included (default: today)'],
      ['--day <time>', 'print a slip of this day: a date, today or yesterday'],
      ['--limit <n>', 'by item, category and source: how many rows, most sold first (default: 200)'],
      ['--csv', 'print the rows as CSV'],
    ],
    run: async (context, { store: given, by, since, until, day, limit, csv }) => {
      if (day !== undefined && (since ?? until ?? csv) !== undefined)
        throw new UsageError('Use --day alone, or --since and --until.');
      const { client } = context;
      const store = await findStore(client, given);
      const dayOf = (text: string) =>
        toLocalTime(toMoment(text, store.timezone), store.timezone).slice(0, 10);
      if (day !== undefined) return printSlip(context, store, dayOf(day));
      const query = {
        by,
        from: dayOf(since ?? '6d'),
        to: ifGiven(until, dayOf),
        limit: ifGiven(limit, Number),
      };
      if (csv === true) {
        const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        );
        const path = `/manage/v1/stores/${store.id}/sales?${new URLSearchParams(given).toString()}`;
        const { body } = await client.request({ path, headers: { accept: 'text/csv' }, answer: 'bytes' });
        for await (const chunk of body as ByteStream) await writeInTime(context.terminal.stdout, chunk);
        return;
      }
      const found = await client.getSales(store.id, query);
      context.out.listOf(found, found.rows, 'Nothing was sold.', columnsFor(found));
    },
  }),
];

function columnsFor({ by, currency }: Sales): Column<SalesRow>[] {
  const isByItem = by === 'item' || by === 'category';
  const amount = (price: number, tax: number) => toMoney(price + tax, currency);
  const apartColumn = (outcome: 'cancelled' | 'rejected'): Column<SalesRow> => ({
    title: outcome.toUpperCase(),
    isExtra: true,
    value: ({ [outcome]: sums }) => (sums === undefined ? '' : String(countOf(sums))),
  });
  return [
    ...(isByItem
      ? [{ title: 'EXTERNAL ID', value: ({ external_id: id }: SalesRow) => id ?? '-', shrinksTo: 12 }]
      : []),
    { title: isByItem ? 'NAME' : by.toUpperCase(), value: labelOf, shrinksTo: 12 },
    { title: isByItem ? 'UNITS' : 'ORDERS', value: (row) => String(countOf(row)) },
    { title: 'PRICE', value: ({ price }) => toMoney(price, currency), isExtra: true },
    { title: 'TAX', value: ({ tax }) => toMoney(tax, currency), isExtra: true },
    { title: 'TAKINGS', value: ({ price, tax }) => amount(price, tax) },
    ...(by === 'status' ? [] : (['cancelled', 'rejected'] as const).map(apartColumn)),
  ];
}

function countOf({ orders, units }: Pick<SalesTotal, 'orders' | 'units'>): number {
  return orders ?? units ?? 0;
}

function labelOf(row: SalesRow): string {
  const { day, hour, weekday, status, service, source, method, name, rest } = row;
  if (rest !== undefined) return `and ${rest} more`;
  if (hour !== undefined) return `${String(hour).padStart(2, '0')}:00`;
  const label = day ?? weekday ?? status ?? service ?? source ?? method;
  return label ?? (name === undefined ? '' : nameOf({ name }));
}

/** As wide as the paper of a till. */
const SLIP_COLUMNS = 42;

async function printSlip(
  { client, out, terminal }: CommandContext,
  store: ManagedStore,
  day: string,
): Promise<void> {
  const read = (by: Grouping) => client.getSales(store.id, { by, from: day, to: day });
  const [statuses, items, days] = [await read('status'), await read('item'), await read('day')];
  const methods = await read('method');
  const { total } = days;
  if (out.isJson)
    return out.json({ day, total, by_status: statuses.rows, by_item: items.rows, by_method: methods.rows });
  const money = (minor: number) => toMoney(minor, store.currency);
  const pair = (left: string, right: string) => apart(toPlain(left), right, SLIP_COLUMNS);
  const rule = '-'.repeat(SLIP_COLUMNS);
  const part = (label: string, { price, tax }: { price: number; tax: number }) =>
    pair(label, money(price + tax));
  const sums = (label: string, { price, tax, ...counts }: SalesTotal) =>
    pair(`${label} (${countOf(counts)})`, money(price + tax));
  const lines = [
    ...wrapTo(toPlain(nameOf(store)), SLIP_COLUMNS),
    `Sales of ${day}`,
    rule,
    ...pair('Orders', String(countOf(total))),
    ...pair('Price', money(total.price)),
    ...pair('Tax', money(total.tax)),
    ...pair('Takings', money(total.price + total.tax)),
    ...(total.charges === undefined ? [] : part('Charges', total.charges)),
    ...(total.discounts === undefined ? [] : part('Discounts', total.discounts)),
    ...(total.tip === undefined ? [] : pair('Tips', money(total.tip))),
    ...methods.rows.flatMap(({ method = '', price }) => pair(`Paid, ${method}`, money(price))),
    ...(total.cancelled === undefined ? [] : sums('Cancelled', total.cancelled)),
    ...(total.rejected === undefined ? [] : sums('Rejected', total.rejected)),
    rule,
    ...items.rows
      .filter((row) => countOf(row) > 0)
      .flatMap((row) =>
        pair(
          `${countOf(row)} x ${labelOf(row) || (row.external_id ?? 'Without a name')}`,
          money(row.price + row.tax),
        ),
      ),
    rule,
    `Printed ${toLocalTime(new Date().toISOString(), store.timezone)}`,
  ];
  for (const line of lines) writeLine(terminal.stdout, line);
}
