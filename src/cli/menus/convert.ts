import { InvalidArgumentError } from 'commander';
import {
  convertMenu,
  MENU_SOURCES,
  recogniseSource,
  SOURCE_NAMES,
} from '../../menu-files/convert/convert.js';
import type { Conversion } from '../../menu-files/convert/conversion.js';
import { ConversionRefused } from '../../menu-files/convert/source.js';
import { toRate } from '../lib/arguments.js';
import { command, type CommandRow } from '../lib/command.js';
import { readValue } from '../lib/documents.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { writeLine } from '../lib/terminal.js';
import { writeTextFile } from '../lib/transfer.js';
import { counted, toPlain } from '../lib/text.js';
import { FORMAT, menuFormatOf, OUTPUT, saveMenu, writeMenu } from './pull.js';

export const CONVERT_ROWS: readonly CommandRow[] = [
  command('menu convert', 'convert a menu of another system into a menu file; says what is lost', {
    takes: [['<file>', 'JSON file of Uber Eats, Square or HubRise; - for standard input']],
    flags: [
      ['--from <system>', 'where it comes from (default: recognised)', MENU_SOURCES],
      OUTPUT,
      FORMAT,
      ['--language <tag>', 'language of texts that state none', undefined, 'en'],
      ['--tax-rate <per cent>', 'tax in prices that state none (default: none)', toRate],
      ['--currency <code>', 'CSV: currency of the prices, if the file does not say it', toCurrency],
      ['--location <id>', 'Square: the location whose menu it is (default: what every location sells)'],
      ['--strict', `exit with ${EXIT.failed} if anything is lost`],
    ],
    run: async (context, { file: path, ...flags }) => {
      const { terminal, out } = context;
      const { name, value } = await readValue(terminal, path);
      const recognised = recogniseSource(value);
      const source = flags.from ?? recognised;
      if (source === undefined)
        throw new CommandFailed(
          EXIT.refused,
          `${name} is not a menu of Uber Eats, Square or HubRise. If it is, say which with --from.`,
        );
      const {
        configuration,
        losses,
        photos,
        currency = flags.currency,
      } = convertOrRefuse(name, value, source, flags);
      const format = flags.format ?? menuFormatOf(flags.output);
      if (format === 'csv' && currency === undefined)
        throw new UsageError('The file does not say its currency. Add --currency, such as EUR.');
      for (const { place, message } of losses)
        writeLine(terminal.stderr, toPlain(`${name}: ${place}: ${message}`));
      const { items, modifier_items: options = [], menus = [] } = configuration;
      // Published, it would take everything off sale.
      if (items.length + options.length === 0 && (menus.length === 0 || source !== recognised))
        throw new CommandFailed(
          EXIT.refused,
          `${name} would become an empty menu. Convert the whole menu of ${SOURCE_NAMES[source]}, not a part of it.`,
        );
      const lost = counted(losses.length, 'loss', 'losses');
      out.note(`${SOURCE_NAMES[source]}: ${counted(items.length, 'item')}, ${lost}.`);
      await saveMenu(context, writeMenu(configuration, format, { currency }), flags.output);
      if (flags.output !== undefined && Object.keys(photos).length > 0) {
        const sideFile = `${flags.output.replace(/\.\w+$/, '')}.photos.json`;
        await writeTextFile(sideFile, `${JSON.stringify(photos, undefined, 2)}\n`);
        out.note(`Wrote where the photos are to ${sideFile}: load them with comanda menu photos fetch.`);
      }
      if (flags.strict === true && losses.length > 0)
        throw new CommandFailed(EXIT.failed, `${lost}.`, losses);
    },
  }),
];

function toCurrency(text: string): string {
  if (!/^[a-z]{3}$/i.test(text)) throw new InvalidArgumentError('Expected a code such as EUR.');
  return text.toUpperCase();
}

function convertOrRefuse(name: string, ...given: Parameters<typeof convertMenu>): Conversion {
  try {
    return convertMenu(...given);
  } catch (error) {
    if (!(error instanceof ConversionRefused)) throw error;
    throw new CommandFailed(EXIT.refused, `${name}: ${error.message}`);
  }
}
