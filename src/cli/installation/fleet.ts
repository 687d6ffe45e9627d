import { type AuditEntry, type Client, VALUES } from '#sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { findStoreId, OF_MERCHANT, toWholeNumber } from '../lib/arguments.js';
import { command, type CommandRow, type Given, listing, REQUIRED } from '../lib/command.js';
import { toPlain } from '../lib/text.js';

const FILTERS = [
  OF_MERCHANT,
  ['--store <store>', 'only what concerns this store (id or external_id)', { find: findStoreId }],
  ['--by <key>', 'only what was done with this key (its id)'],
  ['--type <type>', 'only entries of this type, such as store.changed'],
] as const;

type Filters = Given<[], typeof FILTERS>;

const LOOK_AGAIN_MS = 2_000;
/** Changes under way at the same time are listed in the order in which they were begun, not committed. */
const LATEST_MS = 10_000;
const A_PAGE = 1_000;

/** What concerns many stores at once: who changed what, which store needs somebody, what each used. */
export const FLEET_ROWS: readonly CommandRow[] = [
  listing('audit list', 'list who changed what, newest first', {
    flags: [...FILTERS, ['--limit <number>', 'how many (default: 100)', toWholeNumber]],
    call: async (client, given) => {
      const { entries } = await client.listAudit({ ...toQuery(given), limit: given.limit ?? 100 });
      return entries;
    },
    columns: () => [
      { title: 'AT', value: ({ at }: AuditEntry) => at },
      { title: 'WHO', value: whoOf, shrinksTo: 8 },
      { title: 'VIA', value: ({ via }) => via, isExtra: true },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'SUBJECT', value: ({ subject }) => subject, shrinksTo: 12 },
      { title: 'CHANGE', value: differenceOf, shrinksTo: 12 },
      { title: 'STORE', value: (entry) => entry.store_id, isExtra: true },
    ],
    nothing: 'Nothing was changed.',
  }),
  command('audit tail', 'print changes as they happen until Ctrl-C', {
    flags: [...FILTERS, ['--count <number>', 'stop after this many', toWholeNumber]],
    run: ({ client, out }, given) => out.each(changesFromNow(client, given), given.count, toLine),
  }),
  listing('overview', 'list the stores, and which of them need somebody', {
    flags: [OF_MERCHANT, ['--need <what>', 'only those', VALUES.GetOverviewQuery.need]],
    call: (client, { merchant, need }) =>
      everyPage((cursor) => client.getOverview({ merchant_id: merchant, need, cursor, limit: A_PAGE })),
    columns: () => [
      { title: 'STORE', value: (store) => store.store_id },
      { title: 'NAME', value: ({ name }) => Object.values(name.translations)[0], shrinksTo: 12 },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'WAITING', value: ({ waiting }) => String(waiting) },
      { title: 'LATE', value: ({ late }) => String(late) },
      { title: 'WEBHOOKS FAILING', value: (store) => String(store.webhooks_failing), isExtra: true },
      { title: 'PRINTERS IN TROUBLE', value: (store) => String(store.printers_in_trouble), isExtra: true },
      { title: 'LAST ORDER', value: (store) => store.last_order_at, isExtra: true },
    ],
    nothing: 'No stores.',
  }),
  listing('usage', 'list what each store used in a month (operator key)', {
    flags: [['--month <month>', 'such as 2026-11, in UTC', undefined, REQUIRED], OF_MERCHANT],
    call: (client, { month, merchant }) =>
      everyPage((cursor) => client.getUsage({ month, merchant_id: merchant, cursor, limit: A_PAGE })),
    columns: () => [
      { title: 'STORE', value: (store) => store.store_id },
      { title: 'ORDERS', value: ({ orders }) => String(orders) },
      { title: 'GUESTS', value: (store) => String(store.guest_orders) },
      { title: 'EVENTS', value: ({ events }) => String(events) },
      { title: 'BYTES', value: ({ bytes }) => String(bytes) },
      { title: 'MERCHANT', value: (store) => store.merchant_id, isExtra: true },
    ],
    nothing: 'No stores.',
  }),
];

function toQuery({ merchant, store, by, type }: Filters) {
  return { merchant_id: merchant, store_id: store, key_id: by, type };
}

/** Oldest first. */
async function* changesFromNow(client: Client, given: Filters): AsyncGenerator<AuditEntry> {
  const [newest] = (await client.listAudit({ ...toQuery(given), limit: 1 })).entries;
  let known = newest === undefined ? [] : await listSince(client, given, newest);
  for (;;) {
    const ids = new Set(known.map(({ id }) => id));
    const listed = await listSince(client, given, known[0]);
    yield* listed.filter(({ id }) => !ids.has(id)).reverse();
    known = listed;
    await delay(LOOK_AGAIN_MS);
  }
}

/** The entries from shortly before this one on, newest first; without one, all. */
async function listSince(
  client: Client,
  given: Filters,
  from: AuditEntry | undefined,
): Promise<AuditEntry[]> {
  const since = from === undefined ? 0 : Date.parse(from.at) - LATEST_MS;
  const listed: AuditEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = await client.listAudit({ ...toQuery(given), after, limit: A_PAGE });
    const fresh = page.entries.filter(({ at }) => Date.parse(at) >= since);
    listed.push(...fresh);
    if (!page.has_more || fresh.length < page.entries.length) return listed;
    after = page.cursor;
  }
}

type Page<Row> = { stores: readonly Row[]; has_more: boolean; cursor?: string | undefined };

async function* everyPage<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): AsyncGenerator<Row> {
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor);
    yield* page.stores;
    if (!page.has_more) return;
    cursor = page.cursor;
  }
}

function whoOf({ label, key_id: keyId }: AuditEntry): string {
  return label ?? keyId ?? 'automatically';
}

/** What was there and is no more is told apart from what is new. */
function differenceOf({ before = {}, after }: AuditEntry): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after ?? {})]);
  const show = (name: string) =>
    [before[name], ...(after ? [after[name] ?? null] : [])]
      .filter((value) => value !== undefined)
      .map((value) => JSON.stringify(value))
      .join(' -> ');
  return [...names].map((name) => `${name}: ${show(name)}`).join(', ');
}

function toLine(entry: AuditEntry): string {
  return [entry.at, whoOf(entry), entry.via, entry.type, entry.subject, differenceOf(entry)]
    .map(toPlain)
    .join('\t');
}
