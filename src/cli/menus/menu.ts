import type { KindDiff, MenuCheck, MenuDiff } from '#sdk';
import { STORE_ID, toWholeNumber } from '../lib/arguments.js';
import {
  command,
  type CommandContext,
  type CommandRow,
  confirmOrStop,
  type Given,
  YES,
} from '../lib/command.js';
import { locateErrors, sendDocument } from '../lib/documents.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import {
  type MenuDocument,
  publishChanges,
  publishMenu,
  readMenuFile,
  readMenuTag,
  readVersion,
} from '../lib/input-files.js';
import { paint, type Terminal, writeLine } from '../lib/terminal.js';
import { counted, toPlain } from '../lib/text.js';

const FILE = ['<file>', 'JSON, YAML or CSV file; - for standard input'] as const;
const REPLACE = ['--replace', 'a CSV file is the whole menu: remove what it leaves out'] as const;

export const MENU_ROWS: readonly CommandRow[] = [
  command('menu check', 'check a file without publishing it; errors name their line or cell', {
    takes: [STORE_ID, FILE],
    flags: [REPLACE],
    run: async (context, given) => {
      const { document, found } = await readAndCheck(context, given);
      const counts = Object.entries(found.counts).map(
        ([list, count]) => `${count} ${list.replace('_', ' ')}`,
      );
      const { warning_count: count, warnings } = found;
      const title = count === 0 ? [] : [`${counted(count, 'warning')}:`];
      const { lines } = locateErrors(context.terminal, document, warnings);
      const sentence = `${document.name} can be published: ${counts.join(', ')}.`;
      context.out.done(sentence, found, [...title, ...lines]);
    },
  }),
  command('menu diff', 'show what publishing a file would change', {
    takes: [STORE_ID, FILE],
    flags: [REPLACE, ['--exit-code', `exit with ${EXIT.differs} if there is a difference`]],
    run: async (context, given) => {
      const { found } = await readAndCheck(context, given);
      showDiff(context, found.diff);
      if (given.exitCode === true && !isEmptyDiff(found.diff))
        throw new CommandFailed(EXIT.differs, `The file differs from version ${found.current_version}.`);
    },
  }),
  command('menu push', 'publish a file: shows the changes and asks for confirmation', {
    takes: [STORE_ID, FILE],
    flags: [REPLACE, YES],
    run: async (context, given) => {
      const { client } = context;
      // Read first, so that the push fails if someone publishes after the difference was computed.
      const tag = await readMenuTag(client, given.store);
      const { document, found } = await readAndCheck(context, given);
      if (!context.out.isJson) showDiff(context, found.diff);
      if (!isEmptyDiff(found.diff)) await confirmOrStop(context, 'Publish this?', given.yes);
      const version =
        document.changes === undefined
          ? await publishMenu(context, given.store, document, tag)
          : await publishChanges(client, given.store, document.changes, tag);
      const isNew = version !== found.current_version;
      context.out.done(tellVersion(version, isNew), { version, is_new: isNew, diff: found.diff });
    },
  }),
  command('menu restore', 'publish an earlier version again: shows the changes and asks for confirmation', {
    takes: [STORE_ID, ['<version>', 'version number', toWholeNumber]],
    flags: [YES],
    run: async (context, { store, version: wanted, yes }) => {
      const { client } = context;
      const current = await readVersion(client, store);
      const diff = await client.diffMenuVersions(store, current, wanted);
      if (!context.out.isJson) showDiff(context, diff);
      if (!isEmptyDiff(diff)) await confirmOrStop(context, `Publish version ${wanted} again?`, yes);
      const now = await client.restoreMenuVersion(store, wanted, { expect: current });
      context.out.done(tellVersion(now.version, now.version !== current), now);
    },
  }),
];

function tellVersion(version: number, isNew: boolean): string {
  return isNew ? `Published as version ${version}.` : `Nothing to change: version ${version} is current.`;
}

/** Reads a file and asks the service what publishing it would change. */
async function readAndCheck(
  context: CommandContext,
  { store, file, replace }: Given<[typeof STORE_ID, typeof FILE], [typeof REPLACE]>,
): Promise<{ document: MenuDocument; found: MenuCheck }> {
  const document = await readMenuFile(context, store, file, replace);
  const path = `/manage/v1/stores/${store}/menu/check`;
  const { body } = await sendDocument(context, path, document);
  return { document, found: body as MenuCheck };
}

function showDiff({ terminal, out }: CommandContext, diff: MenuDiff): void {
  if (out.isJson) return out.json(diff);
  for (const line of describeDiff(terminal, diff)) writeLine(terminal.stdout, line);
  writeLine(terminal.stdout, isEmptyDiff(diff) ? 'No difference.' : `${summariseDiff(diff)}.`);
}

const LISTS = ['menus', 'categories', 'items', 'modifier_groups', 'modifier_items'] as const;
const MOST_LINES = 40;

function isEmptyDiff(diff: MenuDiff): boolean {
  return LISTS.every((list) => {
    const { added, removed, changed, reordered } = diff[list];
    return added.length + removed.length + changed.length === 0 && !reordered;
  });
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
