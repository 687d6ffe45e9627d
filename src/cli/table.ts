import { type Client, type Key, type Store, VALUES } from '#sdk';
import {
  KEY,
  MERCHANT,
  nameOf,
  OF_MERCHANT,
  ORDER,
  STORE,
  STORE_ID,
  toOrderStatus,
  toWholeNumber,
} from './lib/arguments.js';
import { type CommandRow, listing, oneCall, REQUIRED } from './lib/command.js';
import { toDuration, toLocalTime } from './lib/locale.js';
import { showSecret } from './lib/output.js';
import { ifGiven } from './lib/text.js';
import { tellIntake } from './orders/pace.js';
import { PLACE_COLUMNS, readPlaces } from './orders/places.js';
import { PRINTER_COLUMNS, readPrinters } from './orders/printers.js';

const BRAND = ['--name <text>', 'the brand name'] as const;
const BUSINESS = ['--business-type <text>', 'such as Restaurant'] as const;
const PAUSE_FOR = ['--for <time>', 'how long, such as 30m or 2h (default: until 06:00)', toDuration] as const;

/** The commands that call one operation: their arguments, the call, and how its result is shown. */
export const TABLE: readonly CommandRow[] = [
  listing('merchants list', 'list merchants', {
    call: (client) => client.iterateMerchants(),
    columns: () => [
      { title: 'ID', value: ({ id }) => id },
      { title: 'NAME', value: (merchant) => merchant.brand_name, shrinksTo: 12 },
      { title: 'BUSINESS', value: (merchant) => merchant.business_type?.name, shrinksTo: 8, isExtra: true },
      { title: 'CREATED', value: (merchant) => merchant.created_at.slice(0, 10), isExtra: true },
    ],
    nothing: 'No merchants.',
  }),
  oneCall('merchants show', 'show one merchant', {
    takes: [MERCHANT],
    call: (client, { merchant }) => client.getMerchant(merchant),
  }),
  oneCall('merchants create', 'create a merchant (operator key)', {
    flags: [[...BRAND, undefined, REQUIRED], BUSINESS],
    call: (client, { name, businessType }) =>
      client.createMerchant({ brand_name: name, business_type: ifGiven(businessType, namedType) }),
  }),
  oneCall('merchants change', 'change a merchant (operator key)', {
    takes: [MERCHANT],
    flags: [BRAND, BUSINESS],
    call: (client, { merchant, name, businessType: type }) =>
      client.changeMerchant(merchant, { brand_name: name, business_type: ifGiven(type, namedType) }),
  }),
  oneCall('merchants delete', 'permanently delete a merchant with its stores and keys (operator key)', {
    takes: [MERCHANT],
    flags: [['--force', 'delete even if its stores have orders, and the orders too']],
    asks: async (client, { merchant, force }) => {
      const { brand_name: name } = await client.getMerchant(merchant);
      const what = force === true ? 'stores, orders and keys' : 'stores and keys';
      return `Permanently delete the merchant ${name} with its ${what}?`;
    },
    call: (client, { merchant: deleted, force }) =>
      client.deleteMerchant(deleted, { force }).then(() => ({ deleted })),
    says: ({ deleted }) => `Deleted the merchant ${deleted}.`,
  }),

  listing('stores list', 'list stores', {
    flags: [['--merchant <id>', 'only stores of this merchant']],
    call: (client, { merchant }) => storesOf(client, merchant),
    columns: () => [
      { title: 'ID', value: ({ id }) => id },
      { title: 'NAME', value: nameOf, shrinksTo: 12 },
      { title: 'EXTERNAL ID', value: (store) => store.external_id, isExtra: true },
      { title: 'CITY', value: ({ city }) => city, shrinksTo: 8, isExtra: true },
      { title: 'MERCHANT', value: (store) => store.merchant?.brand_name, shrinksTo: 10, isExtra: true },
    ],
    nothing: 'No stores.',
  }),
  oneCall('stores show', 'show one store', { takes: [STORE], call: (_client, { store }) => store }),
  oneCall('stores delete', 'permanently delete a store and all its data (operator key)', {
    takes: [STORE],
    flags: [['--force', 'delete even if it has orders, and the orders too']],
    asks: (_client, { store, force }) =>
      `Permanently delete the store ${nameOf(store)} (${store.id})${force === true ? ' with all its orders' : ''}?`,
    call: (client, { store: { id: deleted }, force }) =>
      client.deleteStore(deleted, { force }).then(() => ({ deleted })),
    says: ({ deleted }) => `Deleted the store ${deleted}.`,
  }),

  listing('keys list', 'list keys, including expired and revoked ones', {
    flags: [OF_MERCHANT],
    call: (client, { merchant }) => client.iterateKeys({ merchant_id: merchant }),
    columns: () => [
      { title: 'ID', value: ({ id }) => id },
      { title: 'STATE', value: keyState },
      { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10 },
      { title: 'ENDS IN', value: (key) => key.last_four },
      { title: 'MAY', value: mayOf, shrinksTo: 10, isExtra: true },
      { title: 'LAST USED', value: (key) => key.last_used_at?.slice(0, 10), isExtra: true },
    ],
    nothing: 'No keys.',
  }),
  oneCall('keys create', 'issue a key for a merchant; the secret is shown only once', {
    flags: [
      ['--merchant <id>', 'merchant that the key acts for; required with an operator key'],
      ['--permission <name...>', 'permissions of the key', VALUES.KeyCreate.permissions, ['read']],
      ['--store <id...>', 'only these stores (default: every store)'],
      ['--label <text>', 'what the key is for, such as "Till 1"'],
      ['--expires <datetime>', 'expiry (default: never)'],
    ],
    call: (client, { merchant, permission, store, label, expires }) =>
      client.issueKey({
        merchant_id: merchant,
        permissions: permission,
        store_ids: store,
        label,
        expires_at: expires,
      }),
    shows: ({ out }, made) => showSecret(out, made, made.key, `keys rotate ${made.id} --overlap 0`),
  }),
  oneCall('keys change', 'change what a key is called, or what it may do', {
    takes: [KEY],
    flags: [
      ['--label <text>', 'a new label'],
      ['--permission <name...>', 'what it may do from now on', VALUES.KeyPatch.permissions],
      ['--store <id...>', 'only these stores'],
    ],
    call: (client, { key, label, permission, store }) =>
      client.changeKey(key, { label, permissions: permission, store_ids: store }),
    says: (changed, { key }) => `The key ${key} may: ${mayOf(changed)}.`,
  }),
  oneCall('keys link', 'print a link that signs in to the console with a key, once, within 24 hours', {
    takes: [KEY],
    call: (client, { key }) => client.makeSignInLink(key),
    says: ({ url }) => url,
  }),
  oneCall(
    'console-link',
    'print a link that signs in to the console with your own key, once, within 24 hours',
    {
      call: (client) => client.makeSignInLink('current'),
      says: ({ url }) => url,
    },
  ),
  oneCall('keys rotate', 'replace a key; the old one keeps working for the overlap', {
    takes: [KEY],
    flags: [['--overlap <seconds>', 'how long the old key keeps working (default: 86400)', toWholeNumber]],
    call: (client, { key, overlap }) => client.rotateKey(key, { overlap_seconds: overlap }),
    shows: ({ out }, made) => showSecret(out, made, made.key, `keys rotate ${made.id} --overlap 0`),
  }),

  oneCall('menu versions', 'list published versions, newest first', {
    takes: [STORE],
    flags: [['--limit <number>', 'number of versions', toWholeNumber, 20]],
    call: (client, { store, limit }) => client.listMenuVersions(store.id, { limit }),
    shows: ({ out }, { versions, current_version: current }, { store }) =>
      out.list(versions, 'Nothing has been published yet.', [
        { title: 'VERSION', value: ({ version }) => `${version}${version === current ? ' *' : ''}` },
        { title: 'PUBLISHED', value: (row) => toLocalTime(row.published_at, store.timezone) },
        { title: 'ITEMS', value: ({ counts }) => String(counts.items) },
        {
          title: 'REMARK',
          value: ({ restored_from: from }) => ifGiven(from, () => `version ${from} again`),
          isExtra: true,
        },
        { title: 'KEY', value: (row) => row.key_id, isExtra: true },
      ]),
  }),
  listing('menu photos list', 'list the photos of a store', {
    takes: [STORE_ID],
    call: (client, { store }) => client.listPhotos(store).then(({ photos }) => photos),
    columns: () => [
      { title: 'EXTERNAL ID', value: (row) => row.external_id, shrinksTo: 11 },
      { title: 'SIZE', value: ({ width, height }) => `${width} x ${height}` },
      { title: 'BYTES', value: ({ bytes }) => String(bytes) },
      { title: 'SMALL', value: ({ small }) => small && `${small.width} x ${small.height}` },
      { title: 'ADDRESS', value: ({ url }) => url, shrinksTo: 12 },
    ],
    nothing: 'No item has a photo.',
  }),
  listing('menu publications list', 'list publications, newest first', {
    flags: [
      ['--status <name>', 'only those', VALUES.ListMenuPublicationsQuery.status],
      ['--limit <number>', 'number of publications', toWholeNumber, 20],
    ],
    call: (client, { status, limit }) => client.listMenuPublications({ status, limit }),
    columns: () => [
      { title: 'ID', value: ({ id }) => id },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'AT', value: ({ at, created_at: made }) => at ?? made },
      { title: 'STORES', value: ({ stores }) => String(stores.length) },
      { title: 'LABEL', value: ({ label }) => label, shrinksTo: 10, isExtra: true },
    ],
    nothing: 'There are no publications.',
  }),
  oneCall('menu publications cancel', 'cancel a scheduled publication', {
    takes: [['<publication>', 'publication id']],
    call: (client, { publication: id }) =>
      client.cancelMenuPublication(id).then(() => ({ id, status: 'cancelled' })),
    says: () => 'Cancelled.',
  }),

  oneCall('orders status', 'change the status of an order', {
    takes: [
      ORDER,
      [
        '<status>',
        'ACCEPTED, REJECTED, READY, FULFILLED, CUSTOMER_CANCELLED or STORE_CANCELLED',
        toOrderStatus,
      ],
    ],
    flags: [
      ['--reason <reason>', 'with rejected or store_cancelled: why', VALUES.OrderPatch.reason],
      ['--text <text>', 'the reason in words'],
    ],
    call: (client, { order, status, reason, text }) =>
      client.changeOrder(order, { status, reason, reason_text: text }),
    says: ({ status }, { order }) => `Order ${order} is ${status}.`,
  }),

  oneCall('intake show', 'show whether the store takes orders', {
    takes: [STORE],
    call: (client, { store }) => client.getIntake(store.id),
    says: tellIntake,
  }),
  oneCall('intake pause', 'take no orders for a while', {
    takes: [STORE],
    flags: [PAUSE_FOR, ['--note <text>', 'what guests are told']],
    call: (client, { store, for: ms, note }) =>
      client.changeIntake(store.id, { pause: { until: untilOf(ms), note } }),
    says: tellIntake,
  }),
  oneCall('intake resume', 'take orders again, as usual', {
    takes: [STORE],
    call: (client, { store }) => client.changeIntake(store.id, { pause: null, busy: null }),
    says: tellIntake,
  }),
  oneCall('intake busy', 'promise later times for a while', {
    takes: [STORE, ['<minutes>', 'how much longer an order takes', toWholeNumber]],
    flags: [PAUSE_FOR],
    call: (client, { store, minutes, for: ms }) =>
      client.changeIntake(store.id, { busy: { extra_minutes: minutes, until: untilOf(ms) } }),
    says: tellIntake,
  }),
  oneCall('intake ahead', 'set how many days ahead orders are taken for', {
    takes: [STORE, ['<days>', '0 is today only; a day ends at 06:00', toWholeNumber]],
    call: (client, { store, days }) => client.changeIntakeSettings(store.id, { ahead_days: days }),
    says: (_, { days }) => `Orders are taken for ${days === 0 ? 'today' : `up to ${days} days ahead`}.`,
  }),
  listing('intake slots', 'show how full the next slots are', {
    takes: [STORE],
    call: (client, { store }) => client.getIntake(store.id).then(({ slots = [] }) => slots),
    columns: ({ store }) => [
      { title: 'START', value: ({ start }) => toLocalTime(start, store.timezone) },
      { title: 'ORDERS', value: ({ orders }) => String(orders) },
      { title: 'ITEMS', value: ({ items }) => String(items) },
      { title: 'PREP MINUTES', value: ({ prep_minutes: minutes }) => String(minutes) },
      { title: 'FULL', value: ({ full }) => (full ? 'full' : '') },
    ],
    nothing: 'This store has no capacity set.',
  }),

  listing('places list', 'list the places of a store', {
    takes: [STORE_ID],
    call: (client, { store }) => readPlaces(client, store),
    columns: () => PLACE_COLUMNS,
    nothing: 'No places.',
  }),
  listing('printers list', 'list the printers of a store', {
    takes: [STORE_ID],
    call: (client, { store }) => readPrinters(client, store),
    columns: () => PRINTER_COLUMNS,
    nothing: 'No printers.',
  }),
];

async function* storesOf(client: Client, merchant: string | undefined): AsyncGenerator<Store> {
  for await (const store of client.iterateStores())
    if (merchant === undefined || store.merchant?.id === merchant) yield store;
}

const namedType = (name: string) => ({ name });

function keyState(key: Key): string {
  if (key.revoked_at !== undefined) return 'revoked';
  return key.expires_at !== undefined && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'works';
}

function mayOf(key: Key): string {
  return key.kind === 'operator' ? 'everything' : key.permissions.join(', ');
}

function untilOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Date.now() + ms).toISOString();
}
