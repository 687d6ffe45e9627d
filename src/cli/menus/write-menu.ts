import { stringify } from 'yaml';
import type { MenuConfiguration } from '../../menus/shapes.js';
import { writeSheet } from '../../menu-files/sheet/write-sheet.js';
import type { CommandContext } from '../lib/command.js';
import { toPlainLines, toSafeJson } from '../lib/text.js';
import { writeTextFile } from '../lib/transfer.js';

const MENU_FORMATS = ['json', 'yaml', 'csv'] as const;
type MenuFormat = (typeof MENU_FORMATS)[number];

export const OUTPUT = [
  '-o, --output <file>',
  'output file: .json, .yaml or .csv (default: JSON on standard output)',
] as const;
export const FORMAT = ['--format <name>', 'file format, whatever the file name', MENU_FORMATS] as const;

/** Decides by the ending of the file name. */
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
  if (format === 'json') return `${toSafeJson(menu, 2)}\n`;
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
    terminal.stdout.write(terminal.isForPeople ? toPlainLines(text) : text);
    return;
  }
  await writeTextFile(fileName, text);
  out.note(`Wrote ${fileName}.`);
}
