import { type Client, type KindDiff, type MenuCheck, type MenuDiff, type MenuVersion } from '#sdk';
import type { Command } from 'commander';
import { findStore, findStoreId, STORE, toWholeNumber, YES } from '../lib/arguments.js';
import { type CommandContext, confirmOrStop, setAction } from '../lib/command.js';
import { type Document, locateFaults, sendDocument } from '../lib/documents.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';
import { publishChanges, publishMenu, readMenuFile, readMenuTag } from '../lib/input-files.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';
import { addMenuConvertCommand } from './convert.js';
import { addMenuPriceCommand } from './price.js';
import { addMenuPublicationCommands } from './publications.js';
import { addMenuPullCommand } from './pull.js';
import { addMenuAvailableCommand, addMenuStockCommand } from './menu-stock.js';
import { addStockCommand } from './stock.js';

export function addMenuCommands(program: Command, terminal: Terminal): void {
  const menu = program.command('menu').description('manage the menu of a store: files, versions, stock');
  addMenuPullCommand(menu, terminal);
  addPublishing(menu, terminal);
  addMenuPriceCommand(menu, terminal);
  addMenuConvertCommand(menu, terminal);
  addHistory(menu, terminal);
  addMenuStockCommand(menu, terminal);
  addStockCommand(menu, terminal);
  addMenuAvailableCommand(menu, terminal);
  addMenuPublicationCommands(menu, terminal);
}

const FILE = ['<file>', 'JSON, YAML or CSV file; - for standard input'] as const;
const REPLACE = ['--replace', 'a CSV file is the whole menu: remove what it leaves out'] as const;

interface FileFlags {
  readonly replace?: boolean;
}
interface DiffFlags extends FileFlags {
  readonly exitCode?: boolean;
}
interface PushFlags extends FileFlags {
  readonly yes?: boolean;
}

function addPublishing(menu: Command, terminal: Terminal): void {
  const check = menu
    .command('check')
    .description('check a file without publishing it; errors name their line or cell')
    .argument(...STORE)
    .argument(...FILE)
    .option(...REPLACE);
  setAction(check, terminal, async (context, flags: FileFlags, given: string, path: string) => {
    const { out } = context;
    const client = await context.connect();
    const storeId = await findStoreId(client, given);
    const document = await readMenuFile(context, client, storeId, path, flags.replace);
    const found = await checkDocument(terminal, client, storeId, document);
    const counts = Object.entries(found.counts).map(([list, count]) => `${count} ${list.replace('_', ' ')}`);
    const { warning_count: count, warnings } = found;
    const title = count === 0 ? [] : [count === 1 ? '1 warning:' : `${count} warnings:`];
    const { lines } = locateFaults(terminal, document, warnings);
    out.done(`${document.name} can be published: ${counts.join(', ')}.`, found, [...title, ...lines]);
  });

  const diff = menu
    .command('diff')
    .description('show what publishing a file would change')
    .argument(...STORE)
    .argument(...FILE)
    .option(...REPLACE)
    .option('--exit-code', `exit with ${EXIT.differs} if there is a difference`);
  setAction(diff, terminal, async (context, flags: DiffFlags, given: string, path: string) => {
    const client = await context.connect();
    const storeId = await findStoreId(client, given);
    const document = await readMenuFile(context, client, storeId, path, flags.replace);
    const found = await checkDocument(terminal, client, storeId, document);
    showDiff(context, found.diff);
    if (flags.exitCode === true && !isEmptyDiff(found.diff))
      throw new CommandFailed(EXIT.differs, `The file differs from version ${found.current_version}.`);
  });

  const push = menu
    .command('push')
    .description('publish a file: shows the changes and asks for confirmation')
    .argument(...STORE)
    .argument(...FILE)
    .option(...REPLACE)
    .option(...YES);
  setAction(push, terminal, pushMenu);
}

async function pushMenu(
  context: CommandContext,
  { yes, replace }: PushFlags,
  given: string,
  path: string,
): Promise<void> {
  const { terminal, out } = context;
  const client = await context.connect();
  const storeId = await findStoreId(client, given);
  // Read first, so that the push fails if someone publishes after the difference was computed.
  const tag = await readMenuTag(client, storeId);
  const document = await readMenuFile(context, client, storeId, path, replace);
  const found = await checkDocument(terminal, client, storeId, document);
  if (!out.isJson) showDiff(context, found.diff);
  if (!isEmptyDiff(found.diff)) await confirmOrStop(context, 'Publish this?', yes);
  const version =
    document.changes === undefined
      ? await publishMenu(terminal, client, storeId, document, tag)
      : await publishChanges(client, storeId, document.changes, tag);
  const isNew = version !== found.current_version;
  const sentence = isNew
    ? `Published as version ${version}.`
    : `Nothing to change: version ${version} is current.`;
  out.done(sentence, { version, is_new: isNew, diff: found.diff });
}

/** Asks the service what publishing would change. */
async function checkDocument(
  terminal: Terminal,
  client: Client,
  storeId: string,
  document: Document,
): Promise<MenuCheck> {
  const path = `/manage/v1/stores/${storeId}/menu/check`;
  return (await sendDocument(terminal, client, path, document)).body as MenuCheck;
}

function showDiff({ terminal, out }: CommandContext, diff: MenuDiff): void {
  if (out.isJson) {
    out.json(diff);
    return;
  }
  for (const line of describeDiff(terminal, diff)) writeLine(terminal.stdout, line);
  writeLine(terminal.stdout, isEmptyDiff(diff) ? 'No difference.' : `${summariseDiff(diff)}.`);
}

function addHistory(menu: Command, terminal: Terminal): void {
  const versions = menu
    .command('versions')
    .description('list published versions, newest first')
    .argument(...STORE)
    .option('--limit <number>', 'number of versions', toWholeNumber, 20);
  setAction(versions, terminal, async ({ connect, out }, { limit }: { limit: number }, given: string) => {
    const client = await connect();
    const store = await findStore(client, given);
    const found = await client.listMenuVersions(store.id, { limit });
    out.list(
      found.versions,
      [
        { title: 'VERSION', value: ({ version }) => `${version}${markOf(version, found.current_version)}` },
        { title: 'PUBLISHED', value: (row) => toLocalTime(row.published_at, store.timezone) },
        { title: 'ITEMS', value: ({ counts }) => String(counts.items) },
        { title: 'REMARK', value: remarkOf, isExtra: true },
        { title: 'KEY', value: (row) => row.key_id, isExtra: true },
      ],
      'Nothing has been published yet.',
    );
  });

  const restore = menu
    .command('restore')
    .description('publish an earlier version again: shows the changes and asks for confirmation')
    .argument(...STORE)
    .argument('<version>', 'version number', toWholeNumber)
    .option(...YES);
  setAction(restore, terminal, async (context, flags: { yes?: boolean }, given: string, wanted: number) => {
    const { out } = context;
    const client = await context.connect();
    const storeId = await findStoreId(client, given);
    const { current_version: current } = await client.listMenuVersions(storeId, { limit: 1 });
    const diff = await client.diffMenuVersions(storeId, current, wanted);
    if (!out.isJson) showDiff(context, diff);
    if (!isEmptyDiff(diff)) await confirmOrStop(context, `Publish version ${wanted} again?`, flags.yes);
    const now = await client.restoreMenuVersion(storeId, wanted, { expect: current });
    const isNew = now.version !== current;
    out.done(
      isNew ? `Published as version ${now.version}.` : `Nothing to change: version ${current} is current.`,
      now,
    );
  });
}

function markOf(version: number, current: number): string {
  return version === current ? ' *' : '';
}

function remarkOf(version: MenuVersion): string | undefined {
  return version.restored_from === undefined ? undefined : `version ${version.restored_from} again`;
}

const LISTS = ['menus', 'categories', 'items', 'modifier_groups', 'modifier_items'] as const;
const MOST_LINES = 40;

function isEmptyDiff(diff: MenuDiff): boolean {
  return LISTS.every((list) => sizeOf(diff[list]) === 0 && !diff[list].reordered);
}

/** The difference as text: a heading for each kind, with `+`, `-` and `~` lines below it. */
function describeDiff(terminal: Terminal, diff: MenuDiff): string[] {
  return LISTS.flatMap((list) => {
    const lines = describeKind(terminal, diff[list]);
    if (lines.length === 0) return [];
    const more = lines.length - MOST_LINES;
    const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `  ... and ${more} more`] : lines;
    return [paint(terminal, 'bold', list.replace('_', ' ')), ...shown];
  });
}

function describeKind(terminal: Terminal, diff: KindDiff): string[] {
  return [
    ...diff.added.map((id) => paint(terminal, 'green', `  + ${toPlain(id)}`)),
    ...diff.removed.map((id) => paint(terminal, 'red', `  - ${toPlain(id)}`)),
    ...diff.changed.map(({ external_id: id, fields }) =>
      paint(terminal, 'yellow', `  ~ ${toPlain(id)}: ${toPlain(fields.join(', '))}`),
    ),
    ...(diff.reordered ? ['  reordered'] : []),
  ];
}

/** Such as `12 added, 1 removed, 3 changed`. */
function summariseDiff(diff: MenuDiff): string {
  const count = (kind: 'added' | 'removed' | 'changed') =>
    LISTS.reduce((sum, list) => sum + diff[list][kind].length, 0);
  return `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`;
}

function sizeOf({ added, removed, changed }: KindDiff): number {
  return added.length + removed.length + changed.length;
}
