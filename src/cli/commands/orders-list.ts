import type { ManagedStore, Order, OrderFilter } from '#sdk';
import type { Command } from 'commander';
import { toOrderStatus, toWholeNumber, type OrderStatus } from '../arguments.js';
import { toMoney } from '../money.js';
import { setAction } from '../command-context.js';
import { findStore } from '../store-argument.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';
import { toLocalTime, toMoment } from '../times.js';

interface ListFlags {
  readonly since?: string;
  readonly until?: string;
  readonly status?: OrderStatus;
  readonly customer?: string;
  readonly phone?: string;
  readonly page: number;
  readonly size: number;
  readonly all?: boolean;
}

export function addOrderListCommand(orders: Command, terminal: Terminal): void {
  const list = orders
    .command('list')
    .description('list orders, newest first')
    .argument('<store>', 'its id or external_id')
    .option('--since <moment>', 'created then or later: a date-time, 90m, 24h, 7d, today, yesterday')
    .option('--until <moment>', 'created before then')
    .option('--status <name>', 'only those in this status', toOrderStatus)
    .option('--customer <text>', 'part of the name; case and accents do not matter')
    .option('--phone <digits>', 'part of the phone number')
    .option('--page <number>', 'which page, from 1', toWholeNumber, 1)
    .option('--size <number>', 'how many a page, at most 100', toWholeNumber, 20)
    .option('--all', 'every page');
  setAction(list, terminal, async ({ connect, out }, flags: ListFlags, given: string) => {
    const client = await connect();
    const store = await findStore(client, given);
    const filter = toFilter(flags, store);
    if (flags.all === true) {
      await out.listAll(client.iterateOrders(store.id, filter), columnsFor(store), 'No orders.');
      return;
    }
    const page = await client.listOrders(store.id, {
      ...filter,
      page_index: flags.page,
      page_size: flags.size,
    });
    if (out.isJson) {
      out.json(page);
      return;
    }
    const { order_result_list: found = [], count } = page;
    out.list(found, columnsFor(store), count === 0 ? 'No orders.' : `No orders on page ${flags.page}.`);
    const pages = Math.ceil(count / flags.size);
    if (pages > 1) out.note(`Page ${flags.page} of ${pages}, ${count} orders. --all gives every page.`);
  });
}

function toFilter(flags: ListFlags, { timezone }: ManagedStore): OrderFilter {
  return {
    start_time: flags.since === undefined ? undefined : toMoment(flags.since, timezone),
    end_time: flags.until === undefined ? undefined : toMoment(flags.until, timezone),
    status: flags.status,
    customer_name: flags.customer,
    phone_number: flags.phone,
  };
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
