import { NotFoundError, type Client, type MenuConfigurationFlat } from '#sdk';
import type { Command } from 'commander';
import { nearestTo } from '../../domain/near-miss.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { toPlain } from '../plain-text.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';

interface StockFlags {
  readonly modifier?: boolean;
  readonly back?: boolean;
}

export function addMenuStockCommand(menu: Command, terminal: Terminal): void {
  const soldOut = menu
    .command('sold-out')
    .description('mark items sold out, or back in stock; without any, list what is sold out')
    .argument('<store>', 'its id or external_id')
    .argument('[external_id...]', 'the items')
    .option('--modifier', 'they are modifier items')
    .option('--back', 'they are in stock again');
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

/** Tells it from a 404 about the store. */
function isUnknownItem(error: unknown): boolean {
  return error instanceof NotFoundError && /item not found/i.test(error.message);
}

/** Says what may have been meant: the same name on the other side of the flag, or one like it. */
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
    ...(marked.length === 0 ? [] : [`Marked before it: ${marked.map((row) => row.external_id).join(', ')}.`]),
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
