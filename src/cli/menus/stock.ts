import { type Client, type ItemMark, type StockMark, ValidationError } from '#sdk';
import type { Command } from 'commander';
import { findStore, STORE, toWholeNumber } from '../lib/arguments.js';
import { setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';
import type { Terminal } from '../lib/terminal.js';

interface Flags {
  readonly modifier?: boolean;
  readonly out?: boolean;
  readonly in?: boolean;
  readonly until?: string;
  readonly left?: number;
  readonly uncounted?: boolean;
  readonly prepType?: string;
}

export function addStockCommand(menu: Command, terminal: Terminal): void {
  const stock = menu
    .command('stock')
    .description('say how items are stocked, or set it for all of them at once')
    .argument(...STORE)
    .argument('<external_id...>', 'the items')
    .option('--out', 'they are sold out')
    .option('--until <moment>', 'with --out: a date-time, or end_of_day, the next 06:00 of the store')
    .option('--in', 'they are in stock')
    .option('--left <count>', 'so many of each are left; orders count it down', toWholeNumber)
    .option('--uncounted', 'nobody counts them any more')
    .option('--prep-type <text>', 'where they are made, such as Grill or Bar; an empty text takes it away')
    .option('--modifier', 'they are modifier items, which only take --out, --until and --in');
  setAction(stock, terminal, async ({ connect, out }, flags: Flags, given: string, ids: string[]) => {
    const wanted = toMark(flags);
    const client = await connect();
    const store = await findStore(client, given);
    const rows =
      flags.modifier === true
        ? await markModifiers(client, store.id, ids, wanted)
        : await markItems(client, store.id, ids, wanted);
    out.list(
      rows,
      [
        { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 11 },
        { title: 'STOCK', value: (row) => (row.in_stock ? 'in stock' : 'sold out') },
        { title: 'LEFT', value: ({ left }) => (left === undefined ? '' : String(left)) },
        {
          title: 'UNTIL',
          value: ({ until }) => (until === undefined ? '' : toLocalTime(until, store.timezone)),
        },
        { title: 'PREP TYPE', value: ({ prep_type: prepType = '' }) => prepType, shrinksTo: 8 },
      ],
      '',
    );
  });
}

/** Stating how many are left also marks the item as in stock. */
function toMark({ out, in: isIn, until, left, uncounted, prepType, modifier }: Flags): ItemMark {
  if (out === true && isIn === true)
    throw new CommandFailed(EXIT.usage, '--out and --in exclude each other.');
  if (until !== undefined && out !== true) throw new CommandFailed(EXIT.usage, '--until goes with --out.');
  if (left !== undefined && uncounted === true)
    throw new CommandFailed(EXIT.usage, '--left and --uncounted exclude each other.');
  if (modifier === true && (left !== undefined || uncounted === true || prepType !== undefined))
    throw new CommandFailed(EXIT.usage, 'Modifier items only take --out, --until and --in.');
  const isBack = isIn === true || (left !== undefined && left > 0 && out !== true);
  return {
    ...(out === true ? { in_stock: false } : isBack ? { in_stock: true } : {}),
    ...(until === undefined ? {} : { until }),
    ...(left === undefined ? {} : { left }),
    ...(uncounted === true ? { left: null } : {}),
    ...(prepType === undefined ? {} : { prep_type: prepType }),
  };
}

async function markItems(
  client: Client,
  storeId: string,
  ids: string[],
  mark: ItemMark,
): Promise<StockMark[]> {
  const { items } = await client
    .markItems(storeId, { items: ids.map((external_id) => ({ external_id, ...mark })) })
    .catch((error: unknown) => {
      if (!(error instanceof ValidationError)) throw error;
      const unknown = error.faults.filter(({ type }) => type === 'unknown_item');
      if (unknown.length === 0) throw error;
      throw new CommandFailed(EXIT.notFound, unknown.map(({ msg }) => `${msg}.`).join(' '));
    });
  return items;
}

/** They are marked one by one: an unknown one is found before the first is changed. */
async function markModifiers(
  client: Client,
  storeId: string,
  ids: readonly string[],
  { in_stock, until }: ItemMark,
): Promise<StockMark[]> {
  const { modifier_items: known = [] } = await client.getMenuConfigurationFlat(storeId);
  const knownIds = new Set(known.map(({ external_id: id }) => id));
  const unknown = ids.filter((id) => !knownIds.has(id));
  if (unknown.length > 0) {
    const sentences = unknown.map((id) => `No modifier item has the external_id '${id}'.`);
    throw new CommandFailed(EXIT.notFound, sentences.join(' '));
  }
  const rows: StockMark[] = [];
  for (const id of ids) rows.push(await client.markModifierItem(storeId, id, { in_stock, until }));
  return rows;
}
