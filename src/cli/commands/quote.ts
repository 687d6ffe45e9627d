import type { Quote } from '#sdk';
import type { Command } from 'commander';
import { readDocument } from '../documents/read-document.js';
import { sendDocument } from '../documents/send-document.js';
import { toMoney } from '../money.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';

type Line = Quote['items'][number];

export function addQuoteCommand(program: Command, terminal: Terminal): void {
  const quote = program
    .command('quote')
    .description('say what an order comes to by the menu, or what is wrong in which line; nothing is stored')
    .argument('<store>', 'its id or external_id')
    .argument('<file>', 'the order as JSON or YAML; - is the standard input');
  setAction(quote, terminal, async ({ connect, out }, _flags, given: string, path: string) => {
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const document = await readDocument(terminal, path);
    const answer = await sendDocument(terminal, client, `/manage/v1/stores/${storeId}/quote`, document);
    const found = answer.body as Quote;
    if (out.isJson) {
      out.json(found);
      return;
    }
    out.list(found.items, columnsFor(found.currency), 'The order has no items.');
    const [price, tax] = [toMoney(found.price, found.currency), toMoney(found.tax, found.currency)];
    out.done(`${price}, with ${tax} tax on top, by version ${found.menu_version} of the menu.`, found);
  });
}

function columnsFor(currency: string | undefined): Column<Line>[] {
  return [
    { title: 'Quantity', value: ({ quantity }) => String(quantity) },
    { title: 'Item', value: ({ external_id }) => external_id },
    { title: 'Modifiers', value: ({ modifiers }) => modifiers.map(modifierText).join(', ') },
    { title: 'Price', value: ({ total_price }) => toMoney(total_price, currency) },
    { title: 'Tax', value: ({ total_tax }) => toMoney(total_tax, currency) },
  ];
}

function modifierText({ external_id, quantity, free_quantity }: Line['modifiers'][number]): string {
  const free = free_quantity === 0 ? '' : ` (${free_quantity} free)`;
  return `${quantity} ${external_id}${free}`;
}
