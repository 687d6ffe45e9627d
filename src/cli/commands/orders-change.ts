import type { Client, Order } from '#sdk';
import type { Command } from 'commander';
import { toOrderStatus, type OrderStatus } from '../arguments.js';
import { setAction, type CommandContext } from '../command-context.js';
import { writeLine, type Terminal } from '../terminal.js';
import { describeTicket } from '../ticket.js';

export function addOrderChangeCommands(orders: Command, terminal: Terminal): void {
  const show = orders
    .command('show')
    .description('show one order, as a ticket')
    .argument('<order>', 'its id')
    .option('--history', 'show what was changed when, and by which key');
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
        { title: 'TO', value: ({ to }) => String(to), shrinksTo: 10 },
        { title: 'KEY', value: (change) => change.key_id, isExtra: true },
      ],
      'Nothing was changed.',
    );
  });

  const status = orders
    .command('status')
    .description('move an order along')
    .argument('<order>', 'its id')
    .argument(
      '<status>',
      'ACCEPTED, REJECTED, READY, FULFILLED, CUSTOMER_CANCELLED or STORE_CANCELLED',
      toOrderStatus,
    );
  setAction(status, terminal, async ({ connect, out }, _flags, id: string, wanted: OrderStatus) => {
    const order = await (await connect()).changeOrder(id, { status: wanted });
    out.done(`Order ${id} is ${order.status}.`, order);
  });
}

/** People see a ticket, programs every field. */
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
