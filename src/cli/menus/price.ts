import { InvalidArgumentError } from 'commander';
import { parsePriceChange, reprice, type Price } from '../../menu-files/reprice.js';
import type { Item, MenuConfiguration } from '../../menus/shapes.js';
import { didYouMean } from '../../support/did-you-mean.js';
import { nameOf, STORE, toRate, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow, confirmOrStop, type Given, YES } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { toMoney } from '../../support/minor-units.js';
import { publishChanges, readMenuTag, readPostedMenu } from '../lib/input-files.js';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const PRICE_FLAGS = [
  ['--category <external_id>', 'only items of this category; can be repeated', collect, []],
  ['--item <external_id>', 'only this item; can be repeated', collect, []],
  ['--round <number>', 'round to a multiple of this, in the minor unit (cents)', toStep, 1],
  ['--before-tax', 'change and round the price before tax'],
  ['--tax-rate <per cent>', 'tax rate of the new prices (default: the rate that each has)', toRate],
  YES,
] as const;
type PriceFlags = Given<[], typeof PRICE_FLAGS>;

export const PRICE_ROWS: readonly CommandRow[] = [
  command('menu price', 'raise or lower prices: shows the old and the new ones and asks for confirmation', {
    takes: [STORE, ['<change>', 'such as +5%, -5% or +0.20; what the guest pays changes by it']],
    flags: PRICE_FLAGS,
    // -5% looks like an option.
    allowsUnknown: true,
    run: async (context, { store, change: wanted, ...flags }) => {
      const { client, out } = context;
      const change = parsePriceChange(wanted, store.currency);
      if (change === undefined)
        throw new UsageError(`Not a change of price: ${wanted}. Use +5%, -5% or +0.20.`);
      const tag = await readMenuTag(client, store.id);
      const menu = (await readPostedMenu(client, store.id)) as MenuConfiguration;
      const options = {
        change,
        roundTo: flags.round,
        isNet: flags.beforeTax === true,
        taxRate: flags.taxRate,
      };
      const rows = findItems(menu, flags)
        .map((item) => ({
          external_id: item.external_id,
          name: nameOf(item),
          before: { price: item.price, tax: item.tax },
          after: reprice(item, options),
        }))
        .filter(({ before, after }) => before.price !== after.price || before.tax !== after.tax);
      if (rows.length === 0) return out.done('No price changes.', { prices: [] });
      const shown = ({ price, tax }: Price) =>
        toMoney(flags.beforeTax === true ? price : price + tax, store.currency);
      if (!out.isJson)
        out.list(rows, '', [
          { title: 'ITEM', value: (row) => row.external_id },
          { title: 'NAME', value: (row) => row.name, shrinksTo: 12 },
          { title: 'NOW', value: (row) => shown(row.before) },
          { title: 'NEW', value: (row) => shown(row.after) },
          { title: 'TAX IN IT', value: ({ after }) => toMoney(after.tax, store.currency), isExtra: true },
        ]);
      await confirmOrStop(
        context,
        `Publish ${rows.length === 1 ? 'this price' : `these ${rows.length} prices`}?`,
        flags.yes,
      );
      const changes = rows.map(({ external_id, after: { price, tax } }) => ({
        kind: 'item' as const,
        external_id,
        set: { price, tax },
      }));
      const version = await publishChanges(client, store.id, changes, tag);
      out.done(`Published as version ${version}.`, { version, prices: rows });
    },
  }),
];

function toStep(text: string): number {
  const step = toWholeNumber(text);
  if (step === 0) throw new InvalidArgumentError('Expected a number above 0.');
  return step;
}

function findItems(menu: MenuConfiguration, { category, item }: PriceFlags): readonly Item[] {
  if (category.length === 0 && item.length === 0) return menu.items;
  const named = (kind: string, id: string, list: readonly { readonly external_id: string }[]) => {
    if (list.some(({ external_id: one }) => one === id)) return;
    const ids = list.map(({ external_id: one }) => one);
    const hint = didYouMean(id, ids);
    throw new CommandFailed(EXIT.notFound, `No ${kind} has the external_id ${id}${hint}`);
  };
  const categories = menu.categories ?? [];
  for (const id of category) named('category', id, categories);
  for (const id of item) named('item', id, menu.items);
  const chosen = new Set([
    ...item,
    ...categories
      .filter(({ external_id: id }) => category.includes(id))
      .flatMap(({ item_external_ids: ids }) => ids ?? []),
  ]);
  return menu.items.filter(({ external_id: id }) => chosen.has(id));
}
