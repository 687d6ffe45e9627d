import type { Quote, QuoteModifier } from '#sdk';
import { STORE_ID } from '../lib/arguments.js';
import { command, type CommandRow } from '../lib/command.js';
import { readDocument, sendDocument } from '../lib/documents.js';
import { toMoney } from '../../support/minor-units.js';
import type { Column } from '../lib/output.js';

type Line = Quote['items'][number];

export const QUOTE_ROWS: readonly CommandRow[] = [
  command('quote', 'price an order against the menu, or list its errors by line; nothing is stored', {
    takes: [STORE_ID, ['<file>', 'JSON or YAML file with the order; - for standard input']],
    run: async ({ connect, out, terminal }, { store, file }) => {
      const client = await connect();
      const document = await readDocument(terminal, file);
      const response = await sendDocument(terminal, client, `/manage/v1/stores/${store}/quote`, document);
      const found = response.body as Quote;
      if (out.isJson) return out.json(found);
      out.list(found.items, columnsFor(found.currency), 'The order has no items.');
      const [price, tax] = [toMoney(found.price, found.currency), toMoney(found.tax, found.currency)];
      out.done(`${price} plus ${tax} tax, menu version ${found.menu_version}.`, found);
    },
  }),
];

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
