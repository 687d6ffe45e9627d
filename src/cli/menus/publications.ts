import type { Client, ManagedStore, MenuPublication, MenuPublicationCreate } from '#sdk';
import { type Command, Option } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { findStore, nameOf, STORE, toWholeNumber, YES } from '../lib/arguments.js';
import { type CommandContext, confirmOrStop, setAction } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime, toWallMoment } from '../lib/locale.js';
import type { Terminal } from '../lib/terminal.js';

const KEEP = [
  'price',
  'tax',
  'price_change',
  'tax_change',
  'availability',
  'in_stock',
  'prep_time',
  'sell_separately',
] as const;

const READ_EVERY_MS = 500;
const MOST_READS = 10;

interface CopyFlags {
  readonly to: string[];
  readonly keep?: (typeof KEEP)[number][];
  readonly at?: string;
  readonly atVersion?: number;
  readonly label?: string;
  readonly yes?: boolean;
}

export function addMenuPublicationCommands(menu: Command, terminal: Terminal): void {
  const copy = menu
    .command('copy')
    .description('publish the menu of a store in others: shows the changes and asks for confirmation')
    .argument(...STORE)
    .requiredOption('--to <store...>', 'the stores that get it')
    .addOption(
      new Option('--keep <field...>', 'fields that stay as they are in what a store already has').choices(
        KEEP,
      ),
    )
    .option('--at <time>', "when, such as '2027-01-01 05:00' on the clock of the first store (default: now)")
    .option('--at-version <number>', 'an earlier version', toWholeNumber)
    .option('--label <text>', 'what it is for')
    .option(...YES);
  setAction(copy, terminal, copyMenu);

  const publications = menu
    .command('publications')
    .description('list, show and cancel publications to several stores, or later');
  const list = publications
    .command('list')
    .description('list publications, newest first')
    .addOption(
      new Option('--status <name>', 'only those').choices(['scheduled', 'running', 'done', 'cancelled']),
    )
    .option('--limit <number>', 'number of publications', toWholeNumber, 20);
  setAction(
    list,
    terminal,
    async ({ connect, out }, flags: { status?: MenuPublication['status']; limit: number }) => {
      const rows = await (await connect()).listMenuPublications(flags);
      out.list(
        rows,
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'AT', value: ({ at, created_at: made }) => at ?? made },
          { title: 'STORES', value: ({ stores }) => String(stores.length) },
          { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10, isExtra: true },
        ],
        'There are no publications.',
      );
    },
  );

  const PUBLICATION = ['<publication>', 'publication id'] as const;
  const show = publications
    .command('show')
    .description('show what came of each store')
    .argument(...PUBLICATION);
  setAction(show, terminal, async (context, _flags, id: string) => {
    const client = await context.connect();
    showReport(context, await client.getMenuPublication(id), await namesOf(client));
  });

  const cancel = publications
    .command('cancel')
    .description('cancel a scheduled publication')
    .argument(...PUBLICATION);
  setAction(cancel, terminal, async ({ connect, out }, _flags, id: string) => {
    await (await connect()).cancelMenuPublication(id);
    out.done('Cancelled.', { id, status: 'cancelled' });
  });
}

async function copyMenu(context: CommandContext, flags: CopyFlags, given: string): Promise<void> {
  const { out } = context;
  const client = await context.connect();
  const source = await findStore(client, given);
  const targets: ManagedStore[] = [];
  for (const one of flags.to) targets.push(await findStore(client, one));
  const names = new Map(targets.map((store) => [store.id, shownName(store)]));
  const timezone = targets[0]?.timezone;
  const at = flags.at === undefined ? undefined : toWallMoment(flags.at, timezone);
  const version = flags.atVersion ?? (await client.listMenuVersions(source.id, { limit: 1 })).current_version;
  const wanted: MenuPublicationCreate = {
    from: { store_id: source.id, ...(version === 0 ? {} : { version }) },
    store_ids: targets.map(({ id }) => id),
    ...(flags.keep === undefined ? {} : { keep: flags.keep }),
    ...(at === undefined ? {} : { at }),
    ...(flags.label === undefined ? {} : { label: flags.label }),
  };
  const dry = await client.createMenuPublication(wanted, { dry_run: true });
  if (!out.isJson) showReport(context, dry, names);
  // A store that has this menu now may have another by then.
  if (at === undefined && dry.stores.every(({ result }) => result === 'unchanged')) {
    out.done('Nothing to change.', dry);
    return;
  }
  const when = at === undefined ? 'now' : `at ${toLocalTime(at, timezone)} (${timezone ?? 'UTC'})`;
  await confirmOrStop(context, `Publish this ${when}?`, flags.yes);
  // What was shown is what is published: a store that someone else publishes in meanwhile is left alone.
  const seen = dry.stores.flatMap(({ store_id, from_version: before }) =>
    before === undefined ? [] : [[store_id, before] as const],
  );
  const expected = at === undefined ? { expect: Object.fromEntries(seen) } : {};
  const made = await readUntilDone(client, await client.createMenuPublication({ ...wanted, ...expected }));
  if (made.status === 'scheduled') {
    out.done(`Scheduled as ${made.id ?? ''}.`, made);
    return;
  }
  showReport(context, made, names);
  if (made.status === 'running')
    out.note(`Still under way. To see the results: comanda menu publications show ${made.id ?? ''}`);
  const failed = made.stores.filter(
    ({ result }) => result !== undefined && result !== 'published' && result !== 'unchanged',
  );
  if (failed.length > 0)
    throw new CommandFailed(
      EXIT.conflict,
      `${failed.length} of ${made.stores.length} stores were not published.`,
    );
}

/** A request that was repeated after a 503 finds its publication under way: this waits for it, but not for long. */
async function readUntilDone(client: Client, made: MenuPublication): Promise<MenuPublication> {
  let publication = made;
  for (let reads = 0; reads < MOST_READS && publication.status === 'running'; reads += 1) {
    await delay(READ_EVERY_MS);
    publication = await client.getMenuPublication(made.id ?? '');
  }
  return publication;
}

function showReport(
  { out }: CommandContext,
  publication: MenuPublication,
  names: ReadonlyMap<string, string>,
): void {
  if (out.isJson) {
    out.json(publication);
    return;
  }
  out.list(
    publication.stores,
    [
      { title: 'STORE', value: ({ store_id: id }) => names.get(id) ?? id, shrinksTo: 12 },
      {
        title: 'RESULT',
        value: ({ result }) => (result ?? publication.status).replaceAll('_', ' '),
      },
      {
        title: 'CHANGES',
        value: ({ counts }) =>
          counts && `${counts.added} added, ${counts.removed} removed, ${counts.changed} changed`,
      },
      { title: 'VERSION', value: ({ version }) => (version === undefined ? undefined : String(version)) },
      { title: 'DETAIL', value: ({ detail }) => detail, isExtra: true },
    ],
    'No stores.',
  );
  const late = publication.late_by_seconds;
  if (late !== undefined) out.note(`It began ${late} seconds late.`);
}

async function namesOf(client: Client): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const store of client.iterateStores()) names.set(store.id, shownName(store));
  return names;
}

function shownName(store: {
  readonly id: string;
  readonly name: object;
  readonly external_id?: unknown;
}): string {
  return typeof store.external_id === 'string' ? store.external_id : nameOf(store) || store.id;
}
