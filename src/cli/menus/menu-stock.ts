import {
  type Client,
  type ManagedStore,
  type MenuAvailability,
  type MenuConfigurationFlat,
  type MenuItemTree,
  NotFoundError,
} from '#sdk';
import type { Command } from 'commander';
import { nearestTo } from '../../support/did-you-mean.js';
import { findStore, findStoreId, nameOf, STORE } from '../lib/arguments.js';
import { setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime, toMoment, toMoney } from '../lib/locale.js';
import type { Column } from '../lib/output.js';
import type { Terminal } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';

interface StockFlags {
  readonly modifier?: boolean;
  readonly back?: boolean;
}

export function addMenuStockCommand(menu: Command, terminal: Terminal): void {
  const soldOut = menu
    .command('sold-out')
    .description('mark items sold out or back in stock; without items, list what is sold out')
    .argument(...STORE)
    .argument('[external_id...]', 'items to mark')
    .option('--modifier', 'mark modifier items instead of items')
    .option('--back', 'mark as back in stock');
  setAction(soldOut, terminal, async ({ connect, out }, flags: StockFlags, given: string, ids: string[]) => {
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const rows = ids.length === 0 ? await listSoldOut(client, storeId) : [];
    for (const id of ids)
      rows.push(
        await mark(client, storeId, id, flags).catch(async (error: unknown) => {
          if (!isUnknownItem(error)) throw error;
          throw unknownItem(await client.getMenuConfigurationFlat(storeId), id, flags, rows);
        }),
      );
    out.list(
      rows,
      [
        { title: 'KIND', value: ({ kind }) => kind.replace('_', ' ') },
        { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 11 },
        { title: 'STOCK', value: (row) => (row.in_stock ? 'in stock' : 'sold out') },
      ],
      'Nothing is sold out.',
    );
  });
}

interface Marked {
  readonly kind: 'item' | 'modifier_item';
  readonly external_id: string;
  readonly in_stock: boolean;
}

async function mark(client: Client, storeId: string, id: string, flags: StockFlags): Promise<Marked> {
  const isModifier = flags.modifier === true;
  const wanted = { in_stock: flags.back === true };
  const { in_stock } = await (isModifier
    ? client.markModifierItem(storeId, id, wanted)
    : client.markItem(storeId, id, wanted));
  return { kind: isModifier ? 'modifier_item' : 'item', external_id: id, in_stock };
}

/** Distinguishes a missing item from a missing store, which is also a 404. */
function isUnknownItem(error: unknown): boolean {
  return error instanceof NotFoundError && /item not found/i.test(error.message);
}

/** Suggests what may have been meant: an entity of the other kind with this id, or one with a similar id. */
function unknownItem(
  { items = [], modifier_items: modifiers = [] }: MenuConfigurationFlat,
  id: string,
  { modifier = false }: StockFlags,
  marked: readonly Marked[],
): CommandFailed {
  const [kind, others, otherKind] = modifier
    ? ['modifier item', items, 'an item: leave out --modifier']
    : ['item', modifiers, 'a modifier item: add --modifier'];
  const near = nearestTo(
    id,
    (modifier ? modifiers : items).map((known) => known.external_id),
  );
  const hints = [
    ...(others.some((other) => other.external_id === id) ? [`It is ${otherKind}.`] : []),
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    ...(marked.length === 0 ? [] : [`Already marked: ${marked.map((row) => row.external_id).join(', ')}.`]),
  ];
  const sentence = `The menu has no ${kind} with the external_id ${id}.`;
  return new CommandFailed(EXIT.notFound, toPlain([sentence, ...hints].join(' ')));
}

async function listSoldOut(client: Client, storeId: string): Promise<Marked[]> {
  const { items = [], modifier_items: modifiers = [] } = await client.getMenuConfigurationFlat(storeId);
  const soldOut = (
    kind: Marked['kind'],
    { external_id, in_stock }: { external_id: string; in_stock?: boolean | undefined },
  ) => (in_stock === false ? [{ kind, external_id, in_stock }] : []);
  return [
    ...items.flatMap((item) => soldOut('item', item)),
    ...modifiers.flatMap((modifier) => soldOut('modifier_item', modifier)),
  ];
}

interface AvailableFlags {
  readonly at?: string;
  readonly leftOut?: boolean;
}

export function addMenuAvailableCommand(menu: Command, terminal: Terminal): void {
  const available = menu
    .command('available')
    .description('list what a guest can order, with tax')
    .argument(...STORE)
    .option('--at <moment>', 'a date-time, 90m (ago), today, ... (default: now)')
    .option('--left-out', 'list what cannot be ordered, and why');
  setAction(available, terminal, async ({ connect, out }, flags: AvailableFlags, given: string) => {
    const client = await connect();
    const store = await findStore(client, given);
    const at = flags.at === undefined ? undefined : toMoment(flags.at, store.timezone);
    const found = await client.getAvailableMenu(store.id, { at });
    if (out.isJson) {
      out.json(found);
      return;
    }
    const { left_out: leftOut } = found;
    if (flags.leftOut === true) {
      out.list(leftOut, LEFT_OUT_COLUMNS, 'Nothing is left out.');
      return;
    }
    out.list(rowsOf(found), columnsFor(store), 'Nothing can be ordered at that time.');
    const rest = leftOut.length === 0 ? '' : ` ${leftOut.length} left out; --left-out shows why.`;
    out.note(`At ${toLocalTime(found.at, store.timezone)} store time.${rest}`);
  });
}

interface Row {
  readonly menu: string;
  readonly category: string;
  readonly item: MenuItemTree;
}

function rowsOf({ menu_configuration: menus }: MenuAvailability): Row[] {
  return menus.flatMap((menu) =>
    menu.categories.flatMap((category) =>
      category.items.map((item) => ({
        menu: nameOf(menu) || menu.external_id,
        category: nameOf(category) || category.external_id,
        item,
      })),
    ),
  );
}

function columnsFor({ currency }: ManagedStore): Column<Row>[] {
  return [
    { title: 'ITEM', value: ({ item }) => item.external_id, shrinksTo: 12 },
    { title: 'NAME', value: ({ item }) => nameOf(item), shrinksTo: 12 },
    { title: 'PRICE', value: ({ item }) => toMoney(item.price + item.tax, currency) },
    { title: 'MENU', value: ({ menu }) => menu, shrinksTo: 8, isExtra: true },
    { title: 'CATEGORY', value: ({ category }) => category, shrinksTo: 8, isExtra: true },
  ];
}

const LEFT_OUT_COLUMNS: Column<MenuAvailability['left_out'][number]>[] = [
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 12 },
  { title: 'WHY', value: ({ reason }) => reason.replaceAll('_', ' ') },
];
