import type { MenuAvailability } from '#sdk';
import { nameOf, STORE } from '../lib/arguments.js';
import { type CommandRow, oneCall } from '../lib/command.js';
import { toLocalTime, toMoment } from '../lib/locale.js';
import { toMoney } from '../../support/minor-units.js';
import { ifGiven } from '../lib/text.js';

export const AVAILABLE_ROWS: readonly CommandRow[] = [
  oneCall('menu available', 'list what a guest can order, with tax', {
    takes: [STORE],
    flags: [
      ['--at <moment>', 'a date-time, 90m (ago), today, ... (default: now)'],
      ['--left-out', 'list what cannot be ordered, and why'],
    ],
    call: (client, { store, at }) =>
      client.getAvailableMenu(store.id, { at: ifGiven(at, (text) => toMoment(text, store.timezone)) }),
    shows: ({ out }, found, { store, leftOut: isLeftOut }) => {
      const { left_out: leftOut } = found;
      if (isLeftOut === true)
        return out.listOf(found, leftOut, 'Nothing is left out.', [
          { title: 'KIND', value: ({ kind }) => kind },
          { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 12 },
          { title: 'WHY', value: ({ reason }) => reason.replaceAll('_', ' ') },
        ]);
      out.listOf(found, rowsOf(found), 'Nothing can be ordered at that time.', [
        { title: 'ITEM', value: ({ item }) => item.external_id, shrinksTo: 12 },
        { title: 'NAME', value: ({ item }) => nameOf(item), shrinksTo: 12 },
        { title: 'PRICE', value: ({ item }) => toMoney(item.price + item.tax, store.currency) },
        { title: 'MENU', value: ({ menu }) => menu, shrinksTo: 8, isExtra: true },
        { title: 'CATEGORY', value: ({ category }) => category, shrinksTo: 8, isExtra: true },
      ]);
      const rest = leftOut.length === 0 ? '' : ` ${leftOut.length} left out; --left-out shows why.`;
      return out.note(`At ${toLocalTime(found.at, store.timezone)} store time.${rest}`);
    },
  }),
];

function rowsOf({ menu_configuration: menus }: MenuAvailability) {
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
