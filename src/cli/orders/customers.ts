import type { Client, EraseRequest } from '#sdk';
import type { Command } from 'commander';
import { findStoreId, YES } from '../lib/arguments.js';
import { confirmOrStop, setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import type { Terminal } from '../lib/terminal.js';
import { download } from '../lib/transfer.js';

interface EraseFlags {
  readonly phone?: string;
  readonly order?: string[];
  readonly store?: string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface ExportFlags {
  readonly store?: string[];
  readonly output?: string;
}

const PHONE = 'phone number; compared by its digits, all of them';
const STORES = ['--store <store...>', 'only these stores, by id or external_id (default: all)'] as const;

export function addCustomerCommands(program: Command, terminal: Terminal): void {
  const customers = program
    .command('customers')
    .description('erase customers, and export what is held about one');
  addErase(customers, terminal);

  const give = customers
    .command('export')
    .description('export every order of a customer with its history, one JSON object per line')
    .argument('<phone>', PHONE)
    .option(...STORES)
    .option('-o, --output <file>', 'output file, compressed if it ends in .gz (default: standard output)');
  setAction(give, terminal, async ({ connect, out }, { store, output }: ExportFlags, phone: string) => {
    const client = await connect();
    const storeIds = await findStores(client, store);
    const { bytes } = await client.exportCustomer({ phone, store_ids: storeIds?.join() });
    const orders = await download(terminal, bytes, { output });
    if (output !== undefined) out.done(`Wrote ${orders} orders to ${output}.`, { orders, file: output });
  });
}

function addErase(customers: Command, terminal: Terminal): void {
  const erase = customers
    .command('erase')
    .description('erase name, phone, comments and notes of orders; items and prices stay')
    .option('--phone <number>', PHONE)
    .option('--order <order...>', 'instead of a phone number: these orders')
    .option(...STORES)
    .option('--dry-run', 'only count what would be erased')
    .option(...YES);
  setAction(erase, terminal, async (context, flags: EraseFlags) => {
    if ((flags.phone === undefined) === (flags.order === undefined))
      throw new CommandFailed(EXIT.usage, 'State either --phone or --order.');
    const client = await context.connect();
    const request: EraseRequest = {
      phone: flags.phone,
      order_ids: flags.order,
      store_ids: await findStores(client, flags.store),
    };
    const found = await client.eraseCustomers({ ...request, dry_run: true });
    const what = `the customer of ${count(found.orders, 'order')} in ${count(found.stores.length, 'store')}`;
    if (flags.dryRun === true) {
      context.out.done(`Would erase ${what}.`, found);
      return;
    }
    if (found.orders > 0) await confirmOrStop(context, `Erase ${what}? This cannot be undone.`, flags.yes);
    const report = await client.eraseCustomers(request);
    context.out.done(`Erased the customer of ${count(report.orders, 'order')}.`, report);
  });
}

async function findStores(
  client: Client,
  given: readonly string[] | undefined,
): Promise<string[] | undefined> {
  return given && Promise.all(given.map((store) => findStoreId(client, store)));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
