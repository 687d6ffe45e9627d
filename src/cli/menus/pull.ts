import type { Client } from '#sdk';
import { type Command, Option } from 'commander';
import { findStoreId, STORE, toWholeNumber } from '../lib/arguments.js';
import { setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { readPostedMenu } from '../lib/input-files.js';
import type { Terminal } from '../lib/terminal.js';
import { MENU_FORMATS, type MenuFormat, menuFormatOf, saveMenu, writeMenu } from './write-menu.js';

interface PullFlags {
  readonly output?: string;
  readonly format?: MenuFormat;
  readonly form: 'posted' | 'tree' | 'flat';
  readonly atVersion?: number;
  readonly withTax?: boolean;
  readonly decimalComma?: boolean;
}

export function addMenuPullCommand(menu: Command, terminal: Terminal): void {
  const pull = menu
    .command('pull')
    .description('download the published menu, to edit and push')
    .argument(...STORE)
    .option('-o, --output <file>', 'output file: .json, .yaml or .csv (default: JSON on standard output)')
    .addOption(new Option('--format <name>', 'file format, whatever the file name').choices(MENU_FORMATS))
    .addOption(
      new Option('--form <name>', 'the menu as posted, or as the service returns it')
        .choices(['posted', 'tree', 'flat'])
        .default('posted'),
    )
    .option('--at-version <number>', 'an earlier version, as posted', toWholeNumber)
    .option('--with-tax', 'CSV: prices with tax and the tax rate, instead of price and tax')
    .option(
      '--decimal-comma',
      'CSV: decimal commas, and semicolons between cells, for European spreadsheets',
    );
  setAction(pull, terminal, async ({ connect, out, flags }, options: PullFlags, given: string) => {
    const format = flags.json === true ? 'json' : (options.format ?? menuFormatOf(options.output));
    if (format === 'csv' && options.form !== 'posted')
      throw new CommandFailed(EXIT.usage, 'A spreadsheet holds the menu as posted: leave out --form.');
    const client = await connect();
    const storeId = await findStoreId(client, given);
    const { currency } = format === 'csv' ? await client.getManagedStore(storeId) : {};
    const text = writeMenu(await readMenu(client, storeId, options), format, { ...options, currency });
    await saveMenu({ terminal, out }, text, options.output);
  });
}

async function readMenu(client: Client, storeId: string, { form, atVersion }: PullFlags): Promise<unknown> {
  if (form === 'tree') return client.getMenuConfiguration(storeId);
  if (form === 'flat') return client.getMenuConfigurationFlat(storeId);
  return readPostedMenu(client, storeId, atVersion);
}
