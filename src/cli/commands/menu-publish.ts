import { PreconditionFailedError, type Client, type MenuCheck, type MenuDiff } from '#sdk';
import type { Command } from 'commander';
import { confirmOrStop } from '../confirm-or-stop.js';
import { type Document, readDocument } from '../documents/read-document.js';
import { locateFaults, sendDocument } from '../documents/send-document.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { describeDiff, isEmptyDiff, summariseDiff } from '../menu-diff.js';
import { setAction, type CommandContext } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import { writeLine, type Terminal } from '../terminal.js';

const STORE = ['<store>', 'its id or external_id'] as const;
const FILE = ['<file>', 'JSON or YAML; - is the standard input'] as const;

export function addMenuPublishCommands(menu: Command, terminal: Terminal): void {
  const check = menu
    .command('check')
    .description('say whether a file could be published, and if not, what is wrong in which line')
    .argument(...STORE)
    .argument(...FILE);
  setAction(check, terminal, async ({ connect, out }, _flags, given: string, path: string) => {
    const client = await connect();
    const document = await readDocument(terminal, path);
    const found = await checkDocument(terminal, client, await findStoreId(client, given), document);
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
    .option('--exit-code', `end with ${EXIT.differs} when there is a difference`);
  setAction(diff, terminal, async (context, flags: { exitCode?: boolean }, given: string, path: string) => {
    const client = await context.connect();
    const document = await readDocument(terminal, path);
    const found = await checkDocument(terminal, client, await findStoreId(client, given), document);
    showDiff(context, found.diff);
    if (flags.exitCode === true && !isEmptyDiff(found.diff))
      throw new CommandFailed(EXIT.differs, `The file differs from version ${found.current_version}.`);
  });

  const push = menu
    .command('push')
    .description('publish a file: shows what changes, and asks')
    .argument(...STORE)
    .argument(...FILE)
    .option('-y, --yes', 'do not ask');
  setAction(push, terminal, pushMenu);
}

async function pushMenu(
  context: CommandContext,
  { yes }: { yes?: boolean },
  given: string,
  path: string,
): Promise<void> {
  const { terminal, out } = context;
  const client = await context.connect();
  const storeId = await findStoreId(client, given);
  const document = await readDocument(terminal, path);
  // Read before the check: only the version that the shown differences are from is replaced; if there is a newer one, nothing is.
  const tag = (await client.withAnswer.getMenuConfigurationFlat(storeId)).headers.get('etag');
  const found = await checkDocument(terminal, client, storeId, document);
  if (!out.isJson) showDiff(context, found.diff);
  if (!isEmptyDiff(found.diff)) await confirmOrStop(context, 'Publish this?', yes);
  try {
    const path = `/v1/stores/${storeId}/menu_configuration/`;
    await sendDocument(terminal, client, path, document, tag === null ? {} : { 'if-match': tag });
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    throw new CommandFailed(
      EXIT.conflict,
      'Someone else has published meanwhile, and nothing was changed. Look at the difference and push again.',
    );
  }
  const { current_version: version } = await client.listMenuVersions(storeId, { limit: 1 });
  const isNew = version !== found.current_version;
  const sentence = isNew ? `Published as version ${version}.` : `Version ${version} stays as it is.`;
  out.done(sentence, { version, is_new: isNew, diff: found.diff });
}

/** Asks the service what publishing would do. */
async function checkDocument(
  terminal: Terminal,
  client: Client,
  storeId: string,
  document: Document,
): Promise<MenuCheck> {
  const path = `/manage/v1/stores/${storeId}/menu/check`;
  return (await sendDocument(terminal, client, path, document)).body as MenuCheck;
}

export function showDiff({ terminal, out }: CommandContext, diff: MenuDiff): void {
  if (out.isJson) {
    out.json(diff);
    return;
  }
  for (const line of describeDiff(terminal, diff)) writeLine(terminal.stdout, line);
  writeLine(terminal.stdout, isEmptyDiff(diff) ? 'No difference.' : `${summariseDiff(diff)}.`);
}
