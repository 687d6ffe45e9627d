import type { Store } from '#sdk';
import type { Command } from 'commander';
import { confirmOrStop } from '../confirm-or-stop.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { setAction } from '../command-context.js';
import { findStore, findStoreId, nameOf } from '../store-argument.js';
import { toStoreFields, withStoreFlags, type StoreFlags } from '../store-flags.js';
import type { Terminal } from '../terminal.js';

export function addStoreCommands(program: Command, terminal: Terminal): void {
  const stores = program.command('stores').description('the stores that menus and orders belong to');

  const list = stores
    .command('list')
    .description('list stores')
    .option('--merchant <id>', 'only those of one merchant');
  setAction(list, terminal, async ({ connect, out }, { merchant }: { merchant?: string }) => {
    await out.listAll(
      storesOf((await connect()).iterateStores(), merchant),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'NAME', value: nameOf, shrinksTo: 12 },
        { title: 'EXTERNAL ID', value: (store) => store.external_id, isExtra: true },
        { title: 'CITY', value: ({ city }) => city, shrinksTo: 8, isExtra: true },
        { title: 'MERCHANT', value: (store) => store.merchant?.brand_name, shrinksTo: 10, isExtra: true },
      ],
      'No stores.',
    );
  });

  const show = stores
    .command('show')
    .description('show one store')
    .argument('<store>', 'its id or external_id');
  setAction(show, terminal, async ({ connect, out }, _flags, given: string) => {
    out.record(await findStore(await connect(), given));
  });

  const create = stores
    .command('create')
    .description('create a store (operator key)')
    .requiredOption('--merchant <id>', 'the merchant it belongs to');
  setAction(
    withStoreFlags(create),
    terminal,
    async ({ connect, out }, flags: StoreFlags & { merchant: string }) => {
      const { name, ...fields } = await toStoreFields(terminal, flags);
      if (name === undefined)
        throw new CommandFailed(EXIT.usage, 'A store needs a name: --name en="Corner Café"');
      out.record(await (await connect()).createStore({ merchant_id: flags.merchant, name, ...fields }));
    },
  );

  const change = stores
    .command('change')
    .description('change a store (operator key)')
    .argument('<store>', 'its id or external_id');
  setAction(withStoreFlags(change), terminal, async ({ connect, out }, flags: StoreFlags, given: string) => {
    const client = await connect();
    const fields = await toStoreFields(terminal, flags);
    out.record(await client.changeStore(await findStoreId(client, given), fields));
  });

  addStoreDeletion(stores, terminal);
}

function addStoreDeletion(stores: Command, terminal: Terminal): void {
  const remove = stores
    .command('delete')
    .description('delete a store with all that it has, for ever (operator key)')
    .argument('<store>', 'its id or external_id')
    .option('--force', 'also when it has orders, which are deleted too')
    .option('-y, --yes', 'do not ask');
  setAction(remove, terminal, async (context, flags: { force?: boolean; yes?: boolean }, given: string) => {
    const client = await context.connect();
    const store = await findStore(client, given);
    const what = flags.force === true ? 'with all its orders, ' : '';
    await confirmOrStop(
      context,
      `Delete the store ${nameOf(store)} (${store.id}) ${what}for ever?`,
      flags.yes,
    );
    await client.deleteStore(store.id, { force: flags.force });
    context.out.done(`The store ${store.id} is deleted.`, { deleted: store.id });
  });
}

async function* storesOf(stores: AsyncIterable<Store>, merchant: string | undefined): AsyncGenerator<Store> {
  for await (const store of stores)
    if (merchant === undefined || store.merchant?.id === merchant) yield store;
}
