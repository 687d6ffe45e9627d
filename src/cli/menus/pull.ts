import { stringify } from 'yaml';
import type { MenuConfiguration } from '../../menus/shapes.js';
import { writeSheet } from '../../menu-files/sheet/write-sheet.js';
import { findStoreId, STORE_TEXT, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandContext, type CommandRow } from '../lib/command.js';
import { UsageError } from '../lib/errors.js';
import { readPostedMenu } from '../lib/input-files.js';
import { writeTextFile } from '../lib/transfer.js';

const MENU_FORMATS = ['json', 'yaml', 'csv'] as const;
type MenuFormat = (typeof MENU_FORMATS)[number];

export const OUTPUT = [
  '-o, --output <file>',
  'output file: .json, .yaml or .csv (default: JSON on standard output)',
] as const;
export const FORMAT = ['--format <name>', 'file format, whatever the file name', MENU_FORMATS] as const;

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
    run: async ({ client, out, flags, terminal }, given) => {
      const format = flags.json === true ? 'json' : (given.format ?? menuFormatOf(given.output));
      if (format === 'csv' && given.form !== 'posted')
        throw new UsageError('A spreadsheet holds the menu as posted: leave out --form.');
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

export function menuFormatOf(fileName = ''): MenuFormat {
  if (/\.csv$/i.test(fileName)) return 'csv';
  return /\.ya?ml$/i.test(fileName) ? 'yaml' : 'json';
}

interface SheetFlags {
  readonly currency?: string | undefined;
  readonly withTax?: boolean | undefined;
  readonly decimalComma?: boolean | undefined;
}

export function writeMenu(
  menu: unknown,
  format: MenuFormat,
  { currency, withTax, decimalComma }: SheetFlags,
): string {
  if (format === 'yaml') return stringify(menu);
  if (format === 'json') return `${JSON.stringify(menu, null, 2)}\n`;
  const decimalSign = decimalComma === true ? ',' : '.';
  return writeSheet(menu as MenuConfiguration, { currency, decimalSign, withTax });
}

/** Without a name, to standard output. */
export async function saveMenu(
  { terminal, out }: Pick<CommandContext, 'terminal' | 'out'>,
  text: string,
  fileName: string | undefined,
): Promise<void> {
  if (fileName === undefined) {
    terminal.stdout.write(text);
    return;
  }
  await writeTextFile(fileName, text);
  out.note(`Wrote ${fileName}.`);
}
