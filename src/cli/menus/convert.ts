import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  convertMenu,
  MENU_SOURCES,
  type MenuSource,
  recogniseSource,
  SOURCE_NAMES,
} from '../../menu-files/convert/convert.js';
import { parseRate } from '../../menu-files/sheet/money.js';
import { type CommandContext, setAction } from '../lib/command.js';
import { parseDocument, readDocument } from '../lib/documents.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';
import { MENU_FORMATS, type MenuFormat, menuFormatOf, saveMenu, writeMenu } from './write-menu.js';

interface ConvertFlags {
  readonly from?: MenuSource;
  readonly output?: string;
  readonly format?: MenuFormat;
  readonly language: string;
  readonly taxRate?: number;
  readonly currency?: string;
  readonly strict?: boolean;
}

export function addMenuConvertCommand(menu: Command, terminal: Terminal): void {
  const convert = menu
    .command('convert')
    .description('convert a menu of another system into a menu file; says what is lost')
    .argument('<file>', 'JSON file of Uber Eats, Square or HubRise; - for standard input')
    .addOption(
      new Option('--from <system>', 'where it comes from (default: recognised)').choices(MENU_SOURCES),
    )
    .option('-o, --output <file>', 'output file: .json, .yaml or .csv (default: JSON on standard output)')
    .addOption(new Option('--format <name>', 'file format, whatever the file name').choices(MENU_FORMATS))
    .option('--language <tag>', 'language of texts that state none', 'en')
    .option('--tax-rate <per cent>', 'tax in prices that state none (default: none)', toRate)
    .option('--currency <code>', 'CSV: currency of the prices, if the file does not say it', toCurrency)
    .option('--strict', `exit with ${EXIT.failed} if anything is lost`);
  setAction(convert, terminal, convertFile);
}

function toRate(text: string): number {
  const rate = parseRate(text);
  if (rate === undefined) throw new InvalidArgumentError('Expected per cent, such as 10 or 7.7.');
  return rate;
}

function toCurrency(text: string): string {
  if (!/^[a-z]{3}$/i.test(text)) throw new InvalidArgumentError('Expected a code such as EUR.');
  return text.toUpperCase();
}

async function convertFile(context: CommandContext, flags: ConvertFlags, path: string): Promise<void> {
  const { terminal, out } = context;
  const document = await readDocument(terminal, path);
  const { name } = document;
  const value = parseDocument(terminal, document);
  const recognised = recogniseSource(value);
  const source = flags.from ?? recognised;
  if (source === undefined)
    throw new CommandFailed(
      EXIT.refused,
      `${name} is not a menu of Uber Eats, Square or HubRise. If it is, say which with --from.`,
    );
  const { configuration, losses, currency = flags.currency } = convertMenu(value, source, flags);
  const format = flags.format ?? menuFormatOf(flags.output);
  if (format === 'csv' && currency === undefined)
    throw new CommandFailed(EXIT.usage, 'The file does not say its currency. Add --currency, such as EUR.');
  for (const { place, message } of losses)
    writeLine(terminal.stderr, toPlain(`${name}: ${place}: ${message}`));
  const { items, modifier_items: options = [], menus = [] } = configuration;
  // Published, it would take everything off sale.
  if (items.length + options.length === 0 && (menus.length === 0 || source !== recognised))
    throw new CommandFailed(
      EXIT.refused,
      `${name} would become an empty menu. Convert the whole menu of ${SOURCE_NAMES[source]}, not a part of it.`,
    );
  const lost = `${losses.length} ${losses.length === 1 ? 'loss' : 'losses'}`;
  const made = `${items.length} ${items.length === 1 ? 'item' : 'items'}`;
  out.note(`${SOURCE_NAMES[source]}: ${made}, ${lost}.`);
  await saveMenu(context, writeMenu(configuration, format, { currency }), flags.output);
  if (flags.strict === true && losses.length > 0) throw new CommandFailed(EXIT.failed, `${lost}.`, losses);
}
