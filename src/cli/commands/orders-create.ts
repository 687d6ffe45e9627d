import type { Client, MenuAvailability, OrderRequest } from '#sdk';
import type { Command } from 'commander';
import { toWholeNumber } from '../arguments.js';
import { itemsOf, toBasket, type Choice } from '../basket.js';
import { readDocument } from '../documents/read-document.js';
import { sendDocument } from '../documents/send-document.js';
import { nearestTo } from '../../domain/near-miss.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';
import { showOrder } from './orders-change.js';

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
    .description('put in an order, for a try: by items of the menu, or from a file')
    .argument('<store>', 'its id or external_id')
    .argument('[item...]', 'external_id, or external_id=2 for two; what an item must have is chosen')
    .option('--customer <name>', 'who it is for', 'Guest')
    .option('--phone <number>', 'their phone number', '+1 555 0100')
    .option('--ready-in <minutes>', 'when it is wanted, in so many minutes', toWholeNumber, 20)
    .option('--comment <text>', 'what they wish')
    .option('--external-id <text>', 'your own name for it; the same one never makes a second order')
    .option('--file <path>', 'the whole order from a JSON or YAML file; - is the standard input');
  setAction(create, terminal, async (context, flags: CreateFlags, given: string, wanted: string[]) => {
    if ((flags.file === undefined) === (wanted.length === 0))
      throw new CommandFailed(EXIT.usage, 'Name items of the menu, or a file with --file.');
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
    await showOrder(context, client, await client.takeInOrder(storeId, toOrder(flags, choices)));
  });
}

function toOrder(flags: CreateFlags, choices: readonly Choice[]): OrderRequest {
  return {
    ...toBasket(choices),
    customer: { name: flags.customer, phone: flags.phone },
    ready_by: new Date(Date.now() + flags.readyIn * 60_000).toISOString(),
    customer_comments: flags.comment,
    external_id: flags.externalId,
  };
}

const REASONS = {
  outside_hours: 'no menu that has it is open',
  out_of_stock: 'it is sold out',
  not_sold_separately: 'it is not sold by itself',
  modifiers_unavailable: 'what it must come with is sold out',
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
