import type { Command } from 'commander';
import { YES } from '../lib/arguments.js';
import { confirmOrStop, setAction } from '../lib/command.js';
import type { Terminal } from '../lib/terminal.js';

interface MerchantFlags {
  readonly name?: string;
  readonly businessType?: string;
}

export function addMerchantCommands(program: Command, terminal: Terminal): void {
  const merchants = program.command('merchants').description('manage merchants');

  setAction(merchants.command('list').description('list merchants'), terminal, async ({ connect, out }) => {
    await out.listAll(
      (await connect()).iterateMerchants(),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'NAME', value: (merchant) => merchant.brand_name, shrinksTo: 12 },
        { title: 'BUSINESS', value: (merchant) => merchant.business_type?.name, shrinksTo: 8, isExtra: true },
        { title: 'CREATED', value: (merchant) => merchant.created_at.slice(0, 10), isExtra: true },
      ],
      'No merchants.',
    );
  });

  const show = merchants.command('show').description('show one merchant').argument('<merchant>', 'its id');
  setAction(show, terminal, async ({ connect, out }, _flags, id: string) => {
    out.record(await (await connect()).getMerchant(id));
  });

  const create = merchants
    .command('create')
    .description('create a merchant (operator key)')
    .requiredOption('--name <text>', 'the brand name')
    .option('--business-type <text>', 'such as Restaurant');
  setAction(create, terminal, async ({ connect, out }, flags: MerchantFlags & { name: string }) => {
    const body = { brand_name: flags.name, ...businessType(flags) };
    out.record(await (await connect()).createMerchant(body));
  });

  const change = merchants
    .command('change')
    .description('change a merchant (operator key)')
    .argument('<merchant>', 'its id')
    .option('--name <text>', 'the brand name')
    .option('--business-type <text>', 'such as Restaurant');
  setAction(change, terminal, async ({ connect, out }, flags: MerchantFlags, id: string) => {
    const body = { brand_name: flags.name, ...businessType(flags) };
    out.record(await (await connect()).changeMerchant(id, body));
  });

  addMerchantDeletion(merchants, terminal);
}

function addMerchantDeletion(merchants: Command, terminal: Terminal): void {
  const remove = merchants
    .command('delete')
    .description('permanently delete a merchant with its stores and keys (operator key)')
    .argument('<merchant>', 'its id')
    .option('--force', 'delete even if its stores have orders, and the orders too')
    .option(...YES);
  setAction(remove, terminal, async (context, flags: { force?: boolean; yes?: boolean }, id: string) => {
    const client = await context.connect();
    const { brand_name: name } = await client.getMerchant(id);
    const what = flags.force === true ? 'stores, orders and keys' : 'stores and keys';
    await confirmOrStop(context, `Permanently delete the merchant ${name} with its ${what}?`, flags.yes);
    await client.deleteMerchant(id, { force: flags.force });
    context.out.done(`Deleted the merchant ${id}.`, { deleted: id });
  });
}

function businessType({ businessType: name }: MerchantFlags) {
  return name === undefined ? {} : { business_type: { name } };
}
