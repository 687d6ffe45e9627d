import {
  type Client,
  type ItemMark,
  type MenuConfigurationFlat,
  type StockMark,
  ValidationError,
} from '#sdk';
import { nearestTo } from '../../support/did-you-mean.js';
import { findStore, STORE_ID, STORE_TEXT, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow, type Given } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';
import { ifGiven, toPlain } from '../lib/text.js';

const STOCK_FLAGS = [
  ['--out', 'they are sold out'],
  ['--until <moment>', 'with --out: a date-time, or end_of_day, the next 06:00 of the store'],
  ['--in', 'they are in stock'],
  ['--left <count>', 'so many of each are left; orders count it down', toWholeNumber],
  ['--uncounted', 'nobody counts them any more'],
  ['--prep-type <text>', 'where they are made, such as Grill or Bar; an empty text takes it away'],
  ['--modifier', 'they are modifier items, which only take --out, --until and --in'],
] as const;

export const STOCK_ROWS: readonly CommandRow[] = [
  command('menu stock', 'say how items are stocked, or set it for all of them at once', {
    takes: [STORE_TEXT, ['<external_id...>', 'the items']],
    flags: STOCK_FLAGS,
    run: async ({ client, out }, { store: given, external_id: ids, ...flags }) => {
      const wanted = toMark(flags);
      const store = await findStore(client, given);
      out.list(await markStock(client, store.id, ids, wanted, flags.modifier), '', [
        { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 11 },
        { title: 'STOCK', value: (row) => (row.in_stock ? 'in stock' : 'sold out') },
        { title: 'LEFT', value: ({ left }) => left?.toString() },
        {
          title: 'UNTIL',
          value: ({ until }) => ifGiven(until, (text) => toLocalTime(text, store.timezone)),
        },
        { title: 'PREP TYPE', value: ({ prep_type: prepType }) => prepType, shrinksTo: 8 },
      ]);
    },
  }),
  command('menu sold-out', 'short for `menu stock --out`; without items, list what is sold out', {
    takes: [STORE_ID, ['[external_id...]', 'items to mark']],
    flags: [
      ['--modifier', 'mark modifier items instead of items'],
      ['--back', 'mark as back in stock'],
    ],
    run: async ({ client, out }, { store, external_id: ids, modifier, back }) => {
      const kind = modifier === true ? 'modifier_item' : 'item';
      const rows =
        ids.length === 0
          ? soldOut(await client.getMenuConfigurationFlat(store))
          : (await markStock(client, store, ids, { in_stock: back === true }, modifier)).map(
              ({ external_id, in_stock }) => ({ kind, external_id, in_stock }),
            );
      out.list(rows, 'Nothing is sold out.', [
        { title: 'KIND', value: (row) => row.kind.replace('_', ' ') },
        { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 11 },
        { title: 'STOCK', value: (row) => (row.in_stock ? 'in stock' : 'sold out') },
      ]);
    },
  }),
];

/** Stating how many are left also marks the item as in stock. */
function toMark({
  out,
  in: isIn,
  until,
  left,
  uncounted,
  prepType,
  modifier,
}: Given<[], typeof STOCK_FLAGS>): ItemMark {
  const excluded = [
    [out === true && isIn === true, '--out and --in exclude each other.'],
    [until !== undefined && out !== true, '--until goes with --out.'],
    [left !== undefined && uncounted === true, '--left and --uncounted exclude each other.'],
    [
      modifier === true && (left ?? uncounted ?? prepType) !== undefined,
      'Modifier items only take --out, --until and --in.',
    ],
  ] as const;
  for (const [isSo, sentence] of excluded) if (isSo) throw new UsageError(sentence);
  const isBack = isIn === true || (left !== undefined && left > 0);
  return {
    in_stock: out === true ? false : isBack ? true : undefined,
    until,
    left: uncounted === true ? null : left,
    prep_type: prepType,
  };
}

/** Marks all of them, or none where one is unknown. Modifier items are marked one by one, so that these are looked up first. */
async function markStock(
  client: Client,
  storeId: string,
  ids: readonly string[],
  mark: ItemMark,
  isModifier = false,
): Promise<StockMark[]> {
  const readMenu = () => client.getMenuConfigurationFlat(storeId);
  if (isModifier) {
    refuseUnknown(await readMenu(), ids, isModifier);
    const { in_stock, until } = mark;
    const rows: StockMark[] = [];
    for (const id of ids) rows.push(await client.markModifierItem(storeId, id, { in_stock, until }));
    return rows;
  }
  const items = ids.map((external_id) => ({ external_id, ...mark }));
  try {
    return (await client.markItems(storeId, { items })).items;
  } catch (error) {
    const isUnknown =
      error instanceof ValidationError && error.errors.some(({ type }) => type === 'unknown_item');
    if (isUnknown) refuseUnknown(await readMenu(), ids, isModifier);
    throw error;
  }
}

/** Suggests what may have been meant: an entity of the other kind with this id, or one with a similar id. */
function refuseUnknown(
  { items = [], modifier_items: modifiers = [] }: MenuConfigurationFlat,
  ids: readonly string[],
  isModifier: boolean,
): void {
  const idsOf = (list: readonly { readonly external_id: string }[]) =>
    new Set(list.map((one) => one.external_id));
  const [known, others] = isModifier ? [idsOf(modifiers), idsOf(items)] : [idsOf(items), idsOf(modifiers)];
  const sentences = ids
    .filter((id) => !known.has(id))
    .flatMap((id) => {
      const near = nearestTo(id, known);
      const other = isModifier ? 'an item: leave out --modifier' : 'a modifier item: add --modifier';
      return [
        `No ${isModifier ? 'modifier item' : 'item'} has the external_id '${id}'.`,
        ...(others.has(id) ? [`It is ${other}.`] : []),
        ...(near === undefined ? [] : [`Did you mean ${near}?`]),
      ];
    });
  if (sentences.length > 0) throw new CommandFailed(EXIT.notFound, toPlain(sentences.join(' ')));
}

function soldOut({ items = [], modifier_items: modifiers = [] }: MenuConfigurationFlat) {
  const ofKind = (
    kind: 'item' | 'modifier_item',
    list: readonly { external_id: string; in_stock?: unknown }[],
  ) =>
    list.flatMap(({ external_id, in_stock }) =>
      in_stock === false ? [{ kind, external_id, in_stock }] : [],
    );
  return [...ofKind('item', items), ...ofKind('modifier_item', modifiers)];
}
