import type { Quote, QuoteModifier } from '#sdk';
import type { Command } from 'commander';
import { findStoreId, STORE } from '../lib/arguments.js';
import { setAction } from '../lib/command.js';
import { readDocument, sendDocument } from '../lib/documents.js';
import { toMoney } from '../lib/locale.js';
import type { Column } from '../lib/output.js';
import type { Terminal } from '../lib/terminal.js';

type Line = Quote['items'][number];

export function addQuoteCommand(program: Command, terminal: Terminal): void {
  const quote = program
    .command('quote')
    .description('price an order against the menu, or list its errors by line; nothing is stored')
    .argument(...STORE)
    .argument('<file>', 'JSON or YAML file with the order; - for standard input');
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
    out.done(`${price} plus ${tax} tax, menu version ${found.menu_version}.`, found);
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

function modifierText({ external_id, quantity, free_quantity, modifiers = [] }: QuoteModifier): string {
  const free = free_quantity === 0 ? '' : ` (${free_quantity} free)`;
  const nested = modifiers.length === 0 ? '' : ` [${modifiers.map(modifierText).join(', ')}]`;
  return `${quantity} ${external_id}${free}${nested}`;
}
