import type { MenuVersion } from '#sdk';
import type { Command } from 'commander';
import { confirmOrStop } from '../confirm-or-stop.js';
import { isEmptyDiff } from '../menu-diff.js';
import { toWholeNumber } from '../arguments.js';
import { setAction } from '../command-context.js';
import { findStore, findStoreId } from '../store-argument.js';
import type { Terminal } from '../terminal.js';
import { toLocalTime } from '../times.js';
import { showDiff } from './menu-publish.js';

export function addMenuHistoryCommands(menu: Command, terminal: Terminal): void {
  const versions = menu
    .command('versions')
    .description('list what has been published, newest first')
    .argument('<store>', 'its id or external_id')
    .option('--limit <number>', 'how many; 20 unless told', toWholeNumber, 20);
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
    .description('publish an earlier version again: shows what changes, and asks')
    .argument('<store>', 'its id or external_id')
    .argument('<version>', 'its number', toWholeNumber)
    .option('-y, --yes', 'do not ask');
  setAction(restore, terminal, async (context, flags: { yes?: boolean }, given: string, wanted: number) => {
    const { out } = context;
    const client = await context.connect();
    const storeId = await findStoreId(client, given);
    const { current_version: current } = await client.listMenuVersions(storeId, { limit: 1 });
    const diff = await client.diffMenuVersions(storeId, current, wanted);
    if (!out.isJson) showDiff(context, diff);
    if (!isEmptyDiff(diff)) await confirmOrStop(context, `Publish version ${wanted} again?`, flags.yes);
    const now = await client.restoreMenuVersion(storeId, wanted);
    const isNew = now.version !== current;
    out.done(isNew ? `Published as version ${now.version}.` : `Version ${current} stays as it is.`, now);
  });
}

function markOf(version: number, current: number): string {
  return version === current ? ' *' : '';
}

function remarkOf(version: MenuVersion): string | undefined {
  return version.restored_from === undefined ? undefined : `version ${version.restored_from} again`;
}
