import type { ManagedStore, Order, OrderFilter, OrderPatch } from '#sdk';
import { type Command, Option } from 'commander';
import { findStore, type OrderStatus, STORE, toOrderStatus, toWholeNumber } from '../lib/arguments.js';
import { setAction } from '../lib/command.js';
import { toLocalTime, toMoment, toMoney } from '../lib/locale.js';
import type { Column } from '../lib/output.js';
import type { Terminal } from '../lib/terminal.js';
import { showOrder } from './ticket.js';
import { addOrderCreateCommand, addOrderTransferCommands } from './intake.js';

type Reason = NonNullable<OrderPatch['reason']>;
const REASONS: readonly Reason[] = [
  'out_of_item',
  'too_busy',
  'closing',
  'not_accepted',
  'problem_in_kitchen',
  'other',
];

interface ReasonFlags {
  readonly reason?: Reason;
  readonly text?: string;
}

export function addOrderCommands(program: Command, terminal: Terminal): void {
  const orders = program.command('orders').description('manage orders');
  addList(orders, terminal);
  addOrderCreateCommand(orders, terminal);
  addChanges(orders, terminal);
  addOrderTransferCommands(orders, terminal);
}

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

function addList(orders: Command, terminal: Terminal): void {
  const list = orders
    .command('list')
    .description('list orders, newest first')
    .argument(...STORE)
    .option('--since <moment>', 'created at or after: a date-time, 90m, 24h, 7d, today, yesterday')
    .option('--until <moment>', 'created before')
    .option('--status <name>', 'only orders with this status', toOrderStatus)
    .option('--customer <text>', 'part of the customer name, ignoring case and accents')
    .option('--phone <digits>', 'consecutive digits of the phone number')
    .option('--page <number>', 'page number, starting at 1', toWholeNumber, 1)
    .option('--size <number>', 'orders per page, at most 100', toWholeNumber, 20)
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
    if (pages > 1) out.note(`Page ${flags.page} of ${pages}, ${count} orders. Use --all for every page.`);
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

function addChanges(orders: Command, terminal: Terminal): void {
  const show = orders
    .command('show')
    .description('show an order as a ticket')
    .argument('<order>', 'its id')
    .option('--history', 'show its changes: what, when and by which key');
  setAction(show, terminal, async ({ connect, out }, flags: { history?: boolean }, id: string) => {
    const client = await connect();
    if (flags.history !== true) {
      await showOrder({ terminal, out }, client, await client.getOrder(id));
      return;
    }
    out.list(
      await client.getOrderHistory(id),
      [
        { title: 'TIME', value: ({ time }) => time },
        { title: 'FIELD', value: ({ field }) => field },
        { title: 'FROM', value: ({ from }) => (from === undefined ? '' : String(from)), shrinksTo: 10 },
        { title: 'TO', value: ({ to }) => (to === undefined ? '' : String(to)), shrinksTo: 10 },
        { title: 'KEY', value: (change) => change.key_id, isExtra: true },
      ],
      'No changes.',
    );
  });

  const status = orders
    .command('status')
    .description('change the status of an order')
    .argument('<order>', 'its id')
    .argument(
      '<status>',
      'ACCEPTED, REJECTED, READY, FULFILLED, CUSTOMER_CANCELLED or STORE_CANCELLED',
      toOrderStatus,
    )
    .addOption(new Option('--reason <reason>', 'with rejected or store_cancelled: why').choices(REASONS))
    .option('--text <text>', 'the reason in words');
  setAction(
    status,
    terminal,
    async ({ connect, out }, flags: ReasonFlags, id: string, wanted: OrderStatus) => {
      const patch = { status: wanted, reason: flags.reason, reason_text: flags.text };
      const order = await (await connect()).changeOrder(id, patch);
      out.done(`Order ${id} is ${order.status}.`, order);
    },
  );
}
