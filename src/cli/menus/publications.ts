import { type Client, type MenuPublication, type MenuPublicationCreate, VALUES } from '#sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { findStore, nameOf, STORE, toWholeNumber } from '../lib/arguments.js';
import {
  command,
  type CommandContext,
  type CommandRow,
  confirmOrStop,
  REQUIRED,
  YES,
} from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { readVersion } from '../lib/input-files.js';
import { toLocalTime, toWallMoment } from '../lib/locale.js';

const READ_EVERY_MS = 500;
const MOST_READS = 10;

export const PUBLICATION_ROWS: readonly CommandRow[] = [
  command('menu copy', 'publish the menu of a store in others: shows the changes and asks for confirmation', {
    takes: [STORE],
    flags: [
      ['--to <store...>', 'the stores that get it', { find: findStore }, REQUIRED],
      [
        '--keep <field...>',
        'fields that stay as they are in what a store already has',
        VALUES.MenuPublicationCreate.keep,
      ],
      [
        '--rate <number>',
        "for stores of another currency: units of theirs for one of the source's, such as 162.35",
      ],
      ['--at <time>', "when, such as '2027-01-01 05:00' on the clock of the first store (default: now)"],
      ['--at-version <number>', 'an earlier version', toWholeNumber],
      ['--label <text>', 'what it is for'],
      YES,
    ],
    run: async (context, { store: source, to: targets, ...flags }) => {
      const { client, out } = context;
      const names = new Map(targets.map((store) => [store.id, shownName(store)]));
      const timezone = targets[0]?.timezone;
      const at = flags.at === undefined ? undefined : toWallMoment(flags.at, timezone);
      const version = flags.atVersion ?? (await readVersion(client, source.id));
      const wanted: MenuPublicationCreate = {
        from: { store_id: source.id, ...(version === 0 ? {} : { version }) },
        store_ids: targets.map(({ id }) => id),
        keep: flags.keep,
        convert: flags.rate === undefined ? undefined : { rate: flags.rate },
        at,
        label: flags.label,
      };
      const dry = await client.createMenuPublication(wanted, { dry_run: true });
      if (!out.isJson) showReport(context, dry, names);
      // A store that has this menu now may have another by then.
      if (at === undefined && dry.stores.every(({ result }) => result === 'unchanged'))
        return out.done('Nothing to change.', dry);
      const when = at === undefined ? 'now' : `at ${toLocalTime(at, timezone)} (${timezone ?? 'UTC'})`;
      await confirmOrStop(context, `Publish this ${when}?`, flags.yes);
      // What was shown is what is published: a store that someone else publishes in meanwhile is left alone.
      const seen = dry.stores.flatMap(({ store_id, from_version: before }) =>
        before === undefined ? [] : [[store_id, before] as const],
      );
      const expected = at === undefined ? { expect: Object.fromEntries(seen) } : {};
      const made = await readUntilDone(
        client,
        await client.createMenuPublication({ ...wanted, ...expected }),
      );
      if (made.status === 'scheduled') return out.done(`Scheduled as ${made.id ?? ''}.`, made);
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
    },
  }),
  command('menu publications show', 'show what came of each store', {
    takes: [['<publication>', 'publication id']],
    run: async (context, { publication }) => {
      const { client } = context;
      showReport(context, await client.getMenuPublication(publication), await namesOf(client));
    },
  }),
];

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
  out.listOf(publication, publication.stores, 'No stores.', [
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
    { title: 'VERSION', value: ({ version }) => version?.toString() },
    { title: 'DETAIL', value: ({ detail }) => detail, isExtra: true },
  ]);
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
