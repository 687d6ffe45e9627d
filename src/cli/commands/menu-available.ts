import type { ManagedStore, MenuAvailability, MenuItemTree } from '#sdk';
import type { Command } from 'commander';
import { toMoney } from '../money.js';
import { setAction } from '../command-context.js';
import { findStore, nameOf } from '../store-argument.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';
import { toLocalTime, toMoment } from '../times.js';

interface AvailableFlags {
  readonly at?: string;
  readonly leftOut?: boolean;
}

export function addMenuAvailableCommand(menu: Command, terminal: Terminal): void {
  const available = menu
    .command('available')
    .description('list what a guest can order, now or at a moment, with tax')
    .argument('<store>', 'its id or external_id')
    .option('--at <moment>', 'a date-time, 90m ago, today, ...; now unless told')
    .option('--left-out', 'what cannot be ordered instead, and why');
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
    out.list(rowsOf(found), columnsFor(store), 'Nothing can be ordered then.');
    const rest = leftOut.length === 0 ? '' : ` ${leftOut.length} left out: --left-out tells why.`;
    out.note(`At ${toLocalTime(found.at, store.timezone)} in the store.${rest}`);
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
