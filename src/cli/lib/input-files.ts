import { type Client, type MenuChange, type MenuConfigurationRequest, PreconditionFailedError } from '#sdk';
import { changesBetween } from '../../menu-files/changes-between.js';
import { recogniseSource, SOURCE_NAMES } from '../../menu-files/convert/convert.js';
import type { MenuConfiguration } from '../../menus/shapes.js';
import { readSheet, type Sheet, type SheetBasis } from '../../menu-files/sheet/read-sheet.js';
import { SheetErrors } from '../../menu-files/sheet/errors.js';
import { isCsv, parseIfJson } from '../../support/text-file.js';
import type { CommandContext } from './command.js';
import { type Document, readTextFile, sendDocument, toDocument } from './documents.js';
import { CommandFailed, EXIT } from './errors.js';
import { paint, type Terminal } from './terminal.js';
import { counted, toPlain } from './text.js';

/** The menu as posted: it omits what its author omitted, so that publishing it again changes no stock. */
export async function readPostedMenu(
  client: Client,
  storeId: string,
  version?: number,
): Promise<MenuConfigurationRequest> {
  const wanted = version ?? (await readVersion(client, storeId));
  return wanted === 0 ? { items: [] } : client.getMenuVersion(storeId, wanted);
}

/** The number of the current version; 0 where nothing has been published. */
export async function readVersion(client: Client, storeId: string): Promise<number> {
  return (await client.listMenuVersions(storeId, { limit: 1 })).current_version;
}

/** A menu to be published: whole, or as changes to the current one. */
export interface MenuDocument extends Document {
  readonly changes?: MenuChange[] | undefined;
}

/** Reads a menu file of any format. A CSV file is applied to the current menu. */
export async function readMenuFile(
  { client, terminal, out }: CommandContext,
  storeId: string,
  path: string,
  isWhole = false,
): Promise<MenuDocument> {
  const file = await readTextFile(terminal, path);
  if (!isCsv(file.name, file.text)) return refuseForeign(toDocument(file));
  const { currency } = await client.getManagedStore(storeId);
  const current = (await readPostedMenu(client, storeId)) as MenuConfiguration;
  const sheet = readCells(terminal, file, { currency, current, isWhole });
  for (const note of sheet.notes) out.note(`${file.name}: ${note}`);
  return {
    name: file.name,
    bytes: new TextEncoder().encode(JSON.stringify(sheet.configuration)),
    changes: isWhole ? undefined : changesBetween(current, sheet.configuration),
    locate: (error) => {
      const { message: text, cell, row: line } = sheet.relocate(error);
      return cell === undefined || line === undefined ? { text } : { text, cell, line };
    },
  };
}

/** The errors of a menu in another system's format would fill pages. */
function refuseForeign(document: Document): Document {
  const source = recogniseSource(parseIfJson(new TextDecoder().decode(document.bytes)));
  if (source === undefined) return document;
  throw new CommandFailed(
    EXIT.refused,
    `${document.name} is a menu of ${SOURCE_NAMES[source]}. First run: comanda menu convert ${document.name} -o menu.yaml`,
  );
}

function readCells(
  terminal: Terminal,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  basis: SheetBasis,
): Sheet {
  try {
    return readSheet(bytes, basis);
  } catch (error) {
    if (!(error instanceof SheetErrors)) throw error;
    const { errors } = error;
    const lines = errors.map(({ cell, message }) => {
      const lead = paint(terminal, 'cyan', `${name}:${cell === undefined ? '' : `${cell}:`} `);
      return lead + toPlain(message);
    });
    throw new CommandFailed(EXIT.refused, `${name} has ${counted(errors.length, 'error')}.`, errors, lines);
  }
}

/** For publishMenu; the menu that it belongs to is read after it. */
export async function readMenuTag(client: Client, storeId: string): Promise<string | undefined> {
  const { headers } = await client.withAnswer.getMenuConfigurationFlat(storeId);
  return headers.get('etag') ?? undefined;
}

/** Publishes, unless someone else has published since the tag was read. Returns the current version. */
export async function publishMenu(
  context: CommandContext,
  storeId: string,
  document: Document,
  tag: string | undefined,
): Promise<number> {
  const path = `/v1/stores/${storeId}/menu_configuration/`;
  await sendDocument(context, path, document, ifMatch(tag)).catch(refuseOvertaken);
  return readVersion(context.client, storeId);
}

/** Publishes changes to the menu; stock that they do not state stays as it is. Otherwise as publishMenu. */
export async function publishChanges(
  client: Client,
  storeId: string,
  changes: MenuChange[],
  tag: string | undefined,
): Promise<number> {
  const { version } = await client
    .changeMenu(storeId, { changes }, {}, { headers: ifMatch(tag) })
    .catch(refuseOvertaken);
  return version;
}

function ifMatch(tag: string | undefined): Record<string, string> {
  return tag === undefined ? {} : { 'if-match': tag };
}

function refuseOvertaken(error: unknown): never {
  if (!(error instanceof PreconditionFailedError)) throw error;
  throw new CommandFailed(
    EXIT.conflict,
    'Someone else published in the meantime. Nothing was changed. Check the difference and push again.',
  );
}
