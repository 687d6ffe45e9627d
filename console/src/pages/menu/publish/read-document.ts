import { createJsonLocator, type ErrorDetail, type MenuConfigurationRequest } from '#sdk';
import type { MenuConfiguration } from '../../../../../src/menus/shapes.js';
import { createPlaces, isCsv, isYaml, parseIfJson, textError } from '../../../../../src/support/text-file.js';
import { ConversionRefused } from '../../../../../src/menu-files/convert/source.js';

/** A menu file, as the JSON that is sent, and the way from an error to its place. */
export interface MenuDocument {
  /** Of JSON the very bytes of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of a text, for the lines around an error. */
  readonly text?: string;
  placeOf(error: ErrorDetail): ErrorPosition;
  /** What was guessed or lost in reading it. */
  readonly remarks?: readonly FileRemark[];
}

/** Where an error lies: at a line, which counts from 1, or in a cell of a sheet; nowhere, if neither is known. */
export interface ErrorPosition {
  readonly line?: number | undefined;
  readonly cell?: string | undefined;
  /** In place of the error's own words. */
  readonly message?: string;
}

/** A sentence, or what the page makes one of. */
export interface FileRemark {
  readonly place?: string;
  readonly message: string | { readonly system: string } | { readonly theirs: string; readonly ours: string };
}

/** What a file is read for. */
export interface FileBasis {
  readonly currency: string | undefined;
  /** The published menu, which a sheet changes. */
  readonly current: MenuConfigurationRequest;
  /** A sheet is the whole menu. */
  readonly isWhole: boolean;
  /** Of texts that state none. */
  readonly language: string;
}

/** What keeps a file from being read at all. */
export class UnreadableFile extends Error {
  constructor(
    message: string,
    readonly line?: number,
    readonly text = '',
  ) {
    super(message);
  }
}

/** The cells that keep a sheet from being read. */
export class InvalidSheet extends Error {
  constructor(readonly errors: readonly { readonly cell?: string; readonly message: string }[]) {
    super('The sheet has errors');
  }
}

/** Far more than the service takes. */
const MOST_MIB = 256;

export async function readDocument(file: File, basis: FileBasis): Promise<MenuDocument> {
  if (file.size > MOST_MIB * 1024 * 1024) throw new UnreadableFile(`It is larger than ${MOST_MIB} MiB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isCsv(file.name, '')) return fromSheet(bytes, basis);
  const text = new TextDecoder().decode(bytes);
  const error = textError(text, bytes);
  if (error !== undefined) throw new UnreadableFile(`It ${error}`);
  if (isYaml(file.name, text)) return fromYaml(text);
  return (await fromForeign(text, basis)) ?? fromJson(text, bytes);
}

/** Sheets and menus of other systems are rare: what reads them is loaded when the first one is dropped. */
async function fromSheet(bytes: Uint8Array, basis: FileBasis): Promise<MenuDocument> {
  const [{ readSheet }, { SheetErrors }] = await Promise.all([
    import('../../../../../src/menu-files/sheet/read-sheet.js'),
    import('../../../../../src/menu-files/sheet/errors.js'),
  ]);
  try {
    const sheet = readSheet(bytes, { ...basis, current: basis.current as MenuConfiguration });
    return {
      bytes: new TextEncoder().encode(JSON.stringify(sheet.configuration)),
      placeOf: (error) => sheet.relocate(error),
      remarks: sheet.notes.map((message) => ({ message })),
    };
  } catch (error) {
    if (!(error instanceof SheetErrors)) throw error;
    throw new InvalidSheet(error.errors);
  }
}

/** undefined for a menu of our own, and for what is no menu at all. */
async function fromForeign(text: string, basis: FileBasis): Promise<MenuDocument | undefined> {
  const value = parseIfJson(text);
  const { convertMenu, recogniseSource, SOURCE_NAMES } =
    await import('../../../../../src/menu-files/convert/convert.js');
  const source = recogniseSource(value);
  if (source === undefined) return undefined;
  const { configuration, losses, currency } = refusing(() => convertMenu(value, source, basis));
  const message = { system: SOURCE_NAMES[source] };
  return {
    bytes: new TextEncoder().encode(JSON.stringify(configuration)),
    placeOf: () => ({}),
    remarks: [{ message }, ...foreignPrices(currency, basis.currency), ...losses],
  };
}

function refusing<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ConversionRefused ? new UnreadableFile(error.message) : error;
  }
}

function foreignPrices(theirs: string | undefined, ours: string | undefined): FileRemark[] {
  if (theirs === undefined || ours === undefined || theirs === ours) return [];
  return [{ message: { theirs, ours } }];
}

function fromJson(text: string, bytes: Uint8Array<ArrayBuffer>): MenuDocument {
  const locate = createJsonLocator(text);
  const placeAt = createPlaces(text);
  return {
    bytes,
    text,
    placeOf: (error) => {
      const [place, ...steps] = error.loc;
      if (place !== 'body') return {};
      // What cannot be read has no parts to go by: its place comes with the error.
      if (error.type === 'json_invalid')
        return { line: (error as ErrorDetail & { ctx?: { line?: number } }).ctx?.line };
      return { line: placeAt(locate(steps)).line };
    },
  };
}

/** The reader of YAML is large, and most files are JSON: it is loaded when the first one is dropped. */
async function fromYaml(text: string): Promise<MenuDocument> {
  const { readYaml, YamlSyntaxError } = await import('../../../../../src/support/yaml.js');
  const placeAt = createPlaces(text);
  try {
    const { value, locate } = readYaml(text);
    return {
      bytes: new TextEncoder().encode(JSON.stringify(value)),
      text,
      placeOf: ({ loc: [place, ...steps] }) =>
        place === 'body' ? { line: placeAt(locate(steps)).line } : {},
    };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw new UnreadableFile(error.message, placeAt(error.offset).line, text);
  }
}
