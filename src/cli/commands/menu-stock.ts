import { NotFoundError, type Client } from '#sdk';
import type { Command } from 'commander';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { toPlain } from '../plain-text.js';
import { perform } from '../session.js';
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
  perform(soldOut, terminal, async ({ connect, out }, flags: StockFlags, given: string, ids: string[]) => {
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const rows = ids.length === 0 ? await listSoldOut(client, storeId) : [];
    for (const id of ids)
      rows.push(
        await mark(client, storeId, id, flags).catch((error: unknown) => {
          throw isUnknownItem(error) ? unknownItem(given, id, flags, rows) : error;
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

/** The store may be what is not there. */
function isUnknownItem(error: unknown): boolean {
  return error instanceof NotFoundError && /item not found/i.test(error.message);
}

function unknownItem(
  store: string,
  id: string,
  { modifier }: StockFlags,
  marked: readonly Marked[],
): CommandFailed {
  const [kind, advice] =
    modifier === true
      ? ['modifier item', 'without --modifier it is looked for among the items']
      : ['item', 'with --modifier it is looked for among the modifier items'];
  const before =
    marked.length === 0 ? '' : ` Marked before it: ${marked.map((row) => row.external_id).join(', ')}.`;
  return new CommandFailed(
    EXIT.notFound,
    `The menu has no ${kind} with the external_id ${toPlain(id)}; ${advice}. See: comanda menu pull ${store}.${before}`,
  );
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
