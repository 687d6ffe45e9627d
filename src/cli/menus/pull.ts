import { findStoreId, STORE_TEXT, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { readPostedMenu } from '../lib/input-files.js';
import { FORMAT, menuFormatOf, OUTPUT, saveMenu, writeMenu } from './write-menu.js';

export const PULL_ROWS: readonly CommandRow[] = [
  command('menu pull', 'download the published menu, to edit and push', {
    takes: [STORE_TEXT],
    flags: [
      OUTPUT,
      FORMAT,
      [
        '--form <name>',
        'the menu as posted, or as the service returns it',
        ['posted', 'tree', 'flat'],
        'posted',
      ],
      ['--at-version <number>', 'an earlier version, as posted', toWholeNumber],
      ['--with-tax', 'CSV: prices with tax and the tax rate, instead of price and tax'],
      ['--decimal-comma', 'CSV: decimal commas, and semicolons between cells, for European spreadsheets'],
    ],
    run: async ({ connect, out, flags, terminal }, given) => {
      const format = flags.json === true ? 'json' : (given.format ?? menuFormatOf(given.output));
      if (format === 'csv' && given.form !== 'posted')
        throw new CommandFailed(EXIT.usage, 'A spreadsheet holds the menu as posted: leave out --form.');
      const client = await connect();
      const storeId = await findStoreId(client, given.store);
      const { currency } = format === 'csv' ? await client.getManagedStore(storeId) : {};
      const readMenu = {
        tree: () => client.getMenuConfiguration(storeId),
        flat: () => client.getMenuConfigurationFlat(storeId),
        posted: () => readPostedMenu(client, storeId, given.atVersion),
      }[given.form];
      const text = writeMenu(await readMenu(), format, { ...given, currency });
      await saveMenu({ terminal, out }, text, given.output);
    },
  }),
];
