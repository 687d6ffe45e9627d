import type { StoreCreate } from '#sdk';
import type { Command } from 'commander';
import { readDocument } from './documents/read-document.js';
import { CommandFailed, EXIT } from './exit-codes.js';
import type { Terminal } from './terminal.js';

export interface StoreFlags {
  readonly name?: readonly string[];
  readonly externalId?: string;
  readonly phone?: string;
  readonly address?: readonly string[];
  readonly city?: string;
  readonly postalCode?: string;
  readonly country?: string;
  readonly timezone?: string;
  readonly currency?: string;
  readonly file?: string;
}

type StoreField = Exclude<keyof StoreCreate, 'merchant_id'>;
type StoreFields = { [Name in StoreField]?: StoreCreate[Name] | undefined };

export function withStoreFlags(command: Command): Command {
  return command
    .option(
      '--name <language=text...>',
      'the name, such as en="Corner Café"; in several languages if you like',
    )
    .option('--external-id <text>', 'your own name for it')
    .option('--phone <number>', 'the telephone number')
    .option('--address <line...>', 'up to three lines')
    .option('--city <text>', 'the city')
    .option('--postal-code <text>', 'the postal code')
    .option('--country <code>', 'two letters; decides the currency')
    .option('--timezone <name>', 'such as Europe/Madrid')
    .option('--currency <code>', 'such as EUR')
    .option('--file <path>', 'take these and all other fields from a JSON or YAML file');
}

/** A flag comes before the same field of the file. */
export async function toStoreFields(terminal: Terminal, flags: StoreFlags): Promise<StoreFields> {
  const fromFile = flags.file === undefined ? {} : await readFields(terminal, flags.file);
  const [line1, line2, line3] = flags.address ?? [];
  const fromFlags: StoreFields = {
    name: flags.name === undefined ? undefined : { translations: toTranslations(flags.name) },
    external_id: flags.externalId,
    store_phone: flags.phone,
    address_line_1: line1,
    address_line_2: line2,
    address_line_3: line3,
    city: flags.city,
    postal_code: flags.postalCode,
    country: flags.country,
    timezone: flags.timezone,
    currency: flags.currency,
  };
  const given = Object.entries(fromFlags).filter(([, value]) => value !== undefined);
  return { ...fromFile, ...Object.fromEntries(given) };
}

async function readFields(terminal: Terminal, path: string): Promise<object> {
  const { name, bytes } = await readDocument(terminal, path);
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // What is no JSON is refused below, like JSON that is no object.
  }
  throw new CommandFailed(EXIT.refused, `${name} does not hold an object with the fields of a store.`);
}

function toTranslations(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw new CommandFailed(EXIT.usage, `--name ${text} lacks its language. Write --name en="${text}"`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
