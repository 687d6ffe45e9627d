import type { Client, Fault, ImportReport, MenuAvailability, OrderRequest } from '#sdk';
import type { Command } from 'commander';
import { showOrder } from './ticket.js';
import { nearestTo } from '../../support/did-you-mean.js';
import { findStore, findStoreId, STORE, toWholeNumber } from '../lib/arguments.js';
import { type Basket, type Choice, componentsOf, itemsOf, toBasket } from '../lib/basket.js';
import { setAction } from '../lib/command.js';
import { describeFaults, readDocument, sendDocument } from '../lib/documents.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toMoment } from '../lib/locale.js';
import { type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';
import { download, upload } from '../lib/transfer.js';

interface CreateFlags {
  readonly customer: string;
  readonly phone: string;
  readonly readyIn: number;
  readonly comment?: string;
  readonly externalId?: string;
  readonly file?: string;
}

export function addOrderCreateCommand(orders: Command, terminal: Terminal): void {
  const create = orders
    .command('create')
    .description('create an order from menu items or from a file')
    .argument(...STORE)
    .argument('[item...]', 'external_id, or external_id=2 for two; required modifiers are chosen for you')
    .option('--customer <name>', 'customer name', 'Guest')
    .option('--phone <number>', 'customer phone number', '+1 555 0100')
    .option('--ready-in <minutes>', 'minutes until it should be ready', toWholeNumber, 20)
    .option('--comment <text>', 'comment of the customer')
    .option('--external-id <text>', 'your own id for the order; repeating it never creates a second order')
    .option('--file <path>', 'JSON or YAML file with the whole order; - for standard input');
  setAction(create, terminal, async (context, flags: CreateFlags, given: string, wanted: string[]) => {
    if ((flags.file === undefined) === (wanted.length === 0))
      throw new CommandFailed(EXIT.usage, 'Name menu items, or a file with --file.');
    const client = await context.connect();
    const storeId = await findStoreId(client, given);
    if (flags.file !== undefined) {
      const document = await readDocument(terminal, flags.file);
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const path = `/manage/v1/stores/${storeId}/orders`;
      const { body } = await sendDocument(terminal, client, path, document, headers);
      await showOrder(context, client, body as Awaited<ReturnType<Client['takeInOrder']>>);
      return;
    }
    const choices = chooseItems(await client.getAvailableMenu(storeId), wanted);
    const components = componentsOf(await client.getMenuConfigurationFlat(storeId));
    const order = toOrder(flags, toBasket(choices, components));
    await showOrder(context, client, await client.takeInOrder(storeId, order));
  });
}

function toOrder(flags: CreateFlags, basket: Basket): OrderRequest {
  return {
    ...basket,
    customer: { name: flags.customer, phone: flags.phone },
    ready_by: new Date(Date.now() + flags.readyIn * 60_000).toISOString(),
    customer_comments: flags.comment,
    external_id: flags.externalId,
  };
}

const REASONS = {
  outside_hours: 'no menu with it is open',
  out_of_stock: 'it is sold out',
  not_sold_separately: 'it is not sold separately',
  modifiers_unavailable: 'its required modifiers are sold out',
} as const;

function chooseItems({ menu_configuration: menus, left_out }: MenuAvailability, wanted: string[]): Choice[] {
  const items = itemsOf(menus);
  return wanted.map((text) => {
    const [, id = text, count] = /^(.+)=(\d{1,4})$/.exec(text) ?? [];
    const item = items.get(text) ?? items.get(id);
    if (item !== undefined) return { item, quantity: items.has(text) ? 1 : Number(count ?? 1) };
    const missing = left_out.find(({ kind, external_id }) => kind === 'item' && external_id === id);
    if (missing !== undefined)
      throw new CommandFailed(EXIT.conflict, `${id} cannot be ordered now: ${REASONS[missing.reason]}.`);
    const near = nearestTo(id, items.keys());
    const hint = near === undefined ? 'See: comanda menu available' : `Did you mean ${near}?`;
    throw new CommandFailed(EXIT.notFound, `No item ${id} can be ordered now. ${hint}`);
  });
}

interface ExportFlags {
  readonly before?: string;
  readonly output?: string;
}

export function addOrderTransferCommands(orders: Command, terminal: Terminal): void {
  const take = orders
    .command('import')
    .description('import orders, one JSON object per line')
    .argument('<file>', '.ndjson or .ndjson.gz file; - for standard input');
  setAction(take, terminal, async ({ connect, out }, _flags, path: string) => {
    const client = await connect();
    const report = await upload(terminal, path, client.importOrders);
    const { created, existing, refused } = report;
    out.done(`${created} created, ${existing} there already, ${refused} refused.`, report);
    if (refused > 0) throw refusedLines(terminal, path, report);
  });

  const give = orders
    .command('export')
    .description('export all orders of a store, oldest first, in the format that import reads')
    .argument(...STORE)
    .option('--before <moment>', 'only final orders completed before: a date, a date-time, 30d, today')
    .option('-o, --output <file>', 'output file, compressed if it ends in .gz (default: standard output)');
  setAction(give, terminal, async ({ connect, out }, { before, output }: ExportFlags, given: string) => {
    const client = await connect();
    const id = await findStoreId(client, given);
    const completedBefore =
      before === undefined ? undefined : toMoment(before, (await findStore(client, given)).timezone);
    const { count } = await client.listOrders(id, { page_size: 1 });
    const { bytes } = await client.exportOrders(id, { completed_before: completedBefore });
    const orders = await download(terminal, bytes, {
      output,
      ...(completedBefore === undefined ? { total: count } : {}),
    });
    if (output !== undefined) out.done(`Wrote ${orders} orders to ${output}.`, { orders, file: output });
  });
}

function refusedLines(terminal: Terminal, path: string, { refused, errors }: ImportReport): CommandFailed {
  const name = path === '-' ? 'line ' : `${path}:`;
  for (const { line, detail } of errors) {
    const reasons = Array.isArray(detail)
      ? describeFaults(terminal, detail as Fault[])
      : [toPlain(String(detail))];
    writeLine(terminal.stderr, `${name}${line}: ${reasons.join('; ')}`);
  }
  const more = refused - errors.length;
  const rest = more > 0 ? ` Showing the first ${errors.length}.` : '';
  const lines = refused === 1 ? '1 line was' : `${refused} lines were`;
  return new CommandFailed(EXIT.refused, `${lines} rejected; the others were imported.${rest}`);
}
