import type { ManagedStore, Order } from '#sdk';
import { ORDER, STORE, toOrderStatus, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow } from '../lib/command.js';
import { toLocalTime, toMoment } from '../lib/locale.js';
import { toMoney } from '../../support/minor-units.js';
import type { Column } from '../lib/output.js';
import { ifGiven } from '../lib/text.js';
import { showOrder } from './ticket.js';

export const ORDER_ROWS: readonly CommandRow[] = [
  command('orders list', 'list orders, newest first', {
    takes: [STORE],
    flags: [
      ['--since <moment>', 'created at or after: a date-time, 90m, 24h, 7d, today, yesterday'],
      ['--until <moment>', 'created before'],
      ['--status <name>', 'only orders with this status', toOrderStatus],
      ['--customer <text>', 'part of the customer name, ignoring case and accents'],
      ['--phone <digits>', 'consecutive digits of the phone number'],
      ['--page <number>', 'page number, starting at 1', toWholeNumber, 1],
      ['--size <number>', 'orders per page, at most 100', toWholeNumber, 20],
      ['--all', 'every page'],
    ],
    run: async ({ connect, out }, { store, since, until, status, customer, phone, page, size, all }) => {
      const client = await connect();
      const toStoreMoment = (text: string) => toMoment(text, store.timezone);
      const filter = {
        start_time: ifGiven(since, toStoreMoment),
        end_time: ifGiven(until, toStoreMoment),
        status,
        customer_name: customer,
        phone_number: phone,
      };
      if (all === true)
        return out.listAll(client.iterateOrders(store.id, filter), columnsFor(store), 'No orders.');
      const paged = { ...filter, page_index: page, page_size: size };
      const listed = await client.listOrders(store.id, paged);
      if (out.isJson) return out.json(listed);
      const { order_result_list: found = [], count } = listed;
      out.list(found, columnsFor(store), count === 0 ? 'No orders.' : `No orders on page ${page}.`);
      const pages = Math.ceil(count / size);
      if (pages > 1) out.note(`Page ${page} of ${pages}, ${count} orders. Use --all for every page.`);
    },
  }),
  command('orders show', 'show an order as a ticket', {
    takes: [ORDER],
    flags: [['--history', 'show its changes: what, when and by which key']],
    run: async (context, { order, history }) => {
      const client = await context.connect();
      if (history !== true) return showOrder(context, client, await client.getManagedOrder(order));
      context.out.list(
        await client.getOrderHistory(order),
        [
          { title: 'TIME', value: ({ time }) => time },
          { title: 'FIELD', value: ({ field }) => field },
          { title: 'FROM', value: ({ from }) => toCell(from), shrinksTo: 10 },
          { title: 'TO', value: ({ to }) => toCell(to), shrinksTo: 10 },
          { title: 'KEY', value: (change) => change.key_id, isExtra: true },
        ],
        'No changes.',
      );
    },
  }),
];

function toCell(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function columnsFor({ currency, timezone }: ManagedStore): Column<Order>[] {
  return [
    { title: 'ID', value: ({ id }) => id },
    { title: 'CREATED', value: (order) => toLocalTime(order.created_at, timezone) },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'CUSTOMER', value: ({ customer }) => customer.name, shrinksTo: 8, isExtra: true },
    { title: 'TOTAL', value: ({ price, tax }) => toMoney(price + tax, currency), isExtra: true },
    { title: 'PHONE', value: ({ customer }) => customer.phone, isExtra: true },
  ];
}
