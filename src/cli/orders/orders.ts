import type { Client, ManagedOrder, ManagedStore, Order, Quote, QuoteModifier } from '#sdk';
import { ORDER, STORE, STORE_ID, toOrderStatus, toWholeNumber } from '../lib/arguments.js';
import { collect, command, type CommandRow } from '../lib/command.js';
import { readDocument, sendDocument } from '../lib/documents.js';
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
    run: async ({ client, out }, { store, since, until, status, customer, phone, page, size, all }) => {
      const toStoreMoment = (text: string) => toMoment(text, store.timezone);
      const filter = {
        start_time: ifGiven(since, toStoreMoment),
        end_time: ifGiven(until, toStoreMoment),
        status,
        customer_name: customer,
        phone_number: phone,
      };
      if (all === true) {
        const orders = await collect(client.iterateOrders(store.id, filter));
        if (out.isJson) return out.json(orders);
        return out.list(await readManaged(client, store.id, orders), 'No orders.', columnsFor(store));
      }
      const listed = await client.listOrders(store.id, { ...filter, page_index: page, page_size: size });
      if (out.isJson) return out.json(listed);
      const { order_result_list: found = [], count } = listed;
      const nothing = count === 0 ? 'No orders.' : `No orders on page ${page}.`;
      out.list(await readManaged(client, store.id, found), nothing, columnsFor(store));
      const pages = Math.ceil(count / size);
      if (pages > 1) out.note(`Page ${page} of ${pages}, ${count} orders. Use --all for every page.`);
    },
  }),
  command('orders show', 'show an order as a ticket', {
    takes: [ORDER],
    flags: [['--history', 'show its changes: what, when and by which key']],
    run: async (context, { order, history }) => {
      const { client } = context;
      if (history !== true) return showOrder(context, await client.getManagedOrder(order));
      context.out.list(await client.getOrderHistory(order), 'No changes.', [
        { title: 'TIME', value: ({ time }) => time },
        { title: 'FIELD', value: ({ field }) => field },
        { title: 'FROM', value: ({ from }) => toCell(from), shrinksTo: 10 },
        { title: 'TO', value: ({ to }) => toCell(to), shrinksTo: 10 },
        { title: 'KEY', value: (change) => change.key_id, isExtra: true },
      ]);
    },
  }),
  command('quote', 'price an order against the menu, or list its errors by line; nothing is stored', {
    takes: [STORE_ID, ['<file>', 'JSON or YAML file with the order; - for standard input']],
    run: async (context, { store, file }) => {
      const { out, terminal } = context;
      const document = await readDocument(terminal, file);
      const response = await sendDocument(context, `/manage/v1/stores/${store}/quote`, document);
      const found = response.body as Quote;
      if (out.isJson) return out.json(found);
      out.list(found.items, 'The order has no items.', quoteColumns(found.currency));
      const [price, tax] = [toMoney(found.price, found.currency), toMoney(found.tax, found.currency)];
      out.done(`${price} plus ${tax} tax, menu version ${found.menu_version}.`, found);
    },
  }),
];

/** As many as the manage side looks up at once. */
const MOST_IDS = 100;

/** The orders as the manage side shows them: with numbers, and places by their names of now. */
async function readManaged(
  client: Client,
  storeId: string,
  orders: readonly Order[],
): Promise<ManagedOrder[]> {
  const found = new Map<string, ManagedOrder>();
  for (let from = 0; from < orders.length; from += MOST_IDS) {
    const ids = orders
      .slice(from, from + MOST_IDS)
      .map(({ id }) => id)
      .join();
    for (let cursor: string | undefined, hasMore = true; hasMore;) {
      const page = await client.listManagedOrders(storeId, { ids, cursor });
      for (const order of page.orders) found.set(order.id, order);
      ({ cursor, has_more: hasMore } = page);
    }
  }
  return orders.flatMap(({ id }) => found.get(id) ?? []);
}

/** Orders from before numbers have the place in the name. */
function nameAtPlace({ customer, number, place }: ManagedOrder): string {
  const label = number === undefined ? undefined : place?.label;
  return [customer.name, label].filter(Boolean).join(', ');
}

function toCell(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function columnsFor({ currency, timezone }: ManagedStore): Column<ManagedOrder>[] {
  return [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NUMBER', value: ({ number }) => String(number ?? '') },
    { title: 'CREATED', value: (order) => toLocalTime(order.created_at, timezone) },
    { title: 'STATUS', value: ({ status }) => status },
    { title: 'CUSTOMER', value: nameAtPlace, shrinksTo: 8, isExtra: true },
    { title: 'TOTAL', value: ({ price, tax }) => toMoney(price + tax, currency), isExtra: true },
    { title: 'PHONE', value: ({ customer }) => customer.phone, isExtra: true },
  ];
}

function quoteColumns(currency: string | undefined): Column<Quote['items'][number]>[] {
  return [
    { title: 'Quantity', value: ({ quantity }) => String(quantity) },
    { title: 'Item', value: ({ external_id }) => external_id },
    { title: 'Modifiers', value: ({ modifiers }) => modifiers.map(modifierText).join(', ') },
    { title: 'Price', value: ({ total_price }) => toMoney(total_price, currency) },
    { title: 'Tax', value: ({ total_tax }) => toMoney(total_tax, currency) },
  ];
}

function modifierText({ external_id, quantity, free_quantity, modifiers = [] }: QuoteModifier): string {
  const free = free_quantity === 0 ? '' : ` (${free_quantity} free)`;
  const nested = modifiers.length === 0 ? '' : ` [${modifiers.map(modifierText).join(', ')}]`;
  return `${quantity} ${external_id}${free}${nested}`;
}
