import {
  type Client,
  ConnectionError,
  type ManagedStore,
  NotFoundError,
  type Order,
  UnavailableError,
} from '#sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { readLines, shownName, shownQuantity } from '../../orders/lines.js';
import { exampleIds } from '../../support/example-ids.js';
import { findStore, nameOf, toWholeNumber } from '../lib/arguments.js';
import { componentsOf, itemsOf, toBasket } from '../lib/basket.js';
import { command, type CommandRow, oneCall } from '../lib/command.js';
import { CommandFailed, EXIT } from '../lib/errors.js';
import { toLocalTime } from '../lib/locale.js';
import { toMoney } from '../../support/minor-units.js';
import { writeLine } from '../lib/terminal.js';

export const DEMO_ROWS: readonly CommandRow[] = [
  oneCall('demo remove', 'permanently delete the demo restaurant and all its data (operator key)', {
    asks: async (client) => {
      const { brand_name: name } = await client.getMerchant(exampleIds.merchant).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        throw new CommandFailed(EXIT.notFound, 'There is no demo restaurant.');
      });
      return `Permanently delete the demo restaurant ${name} with its stores, orders and keys?`;
    },
    call: (client) =>
      client
        .deleteMerchant(exampleIds.merchant, { force: true })
        .then(() => ({ deleted: exampleIds.merchant })),
    says: () => 'Deleted the demo restaurant.',
  }),
  command('demo trickle', 'create made-up orders every few seconds until Ctrl-C', {
    takes: [
      ['[store...]', 'store ids or external_ids (default: every store of the key)', { find: findStore }],
    ],
    flags: [
      ['--every <seconds>', 'average time between orders', toWholeNumber, 5],
      ['--count <number>', 'stop after this many orders', toWholeNumber],
    ],
    run: async ({ client, out, terminal }, { store, every, count = Infinity }) => {
      const stores = store.length > 0 ? store : await listStores(client);
      for (let made = 0; made < count;) {
        const found = await orderSomewhere(client, stores).catch((error: unknown) => {
          if (!(error instanceof ConnectionError) && !(error instanceof UnavailableError)) throw error;
          out.note(`${error.message}; trying again.`);
          return undefined;
        });
        if (found !== undefined) {
          made += 1;
          if (out.isJson) writeLine(terminal.stdout, JSON.stringify(found.order));
          else out.done(describe(found), found.order);
        }
        if (made < count) await delay(every * 1000 * (0.5 + Math.random()));
      }
    },
  }),
];

const MOST_STORES = 20;

async function listStores(client: Client): Promise<ManagedStore[]> {
  const stores = await client.listStores({ limit: MOST_STORES });
  if (stores.length === 0) throw new CommandFailed(EXIT.notFound, 'This key has access to no stores.');
  return Promise.all(stores.map(({ id }) => client.getManagedStore(id)));
}

interface Found {
  readonly store: ManagedStore;
  readonly order: Order;
}

/** Places an order in one of the stores that are open now. */
async function orderSomewhere(client: Client, stores: readonly ManagedStore[]): Promise<Found> {
  for (const store of shuffled(stores)) {
    const { menu_configuration: menus } = await client.getAvailableMenu(store.id);
    const items = shuffled([...itemsOf(menus).values()]).slice(0, 1 + below(3));
    if (items.length === 0) continue;
    const choices = items.map((item) => ({ item, quantity: below(4) === 0 ? 2 : 1 }));
    const components = componentsOf(await client.getMenuConfigurationFlat(store.id));
    const order = await client.takeInOrder(store.id, {
      ...toBasket(choices, components),
      customer: CUSTOMERS[below(CUSTOMERS.length)] ?? { name: 'Guest', phone: '+1 555 0100' },
      ready_by: new Date(Date.now() + (15 + below(30)) * 60_000).toISOString(),
    });
    return { store, order };
  }
  throw new CommandFailed(
    EXIT.conflict,
    'None of these stores has anything to order now. See: comanda menu available',
  );
}

function describe({ store, order }: Found): string {
  const names = readLines(order.items).map((line) => `${shownQuantity(line)} x ${shownName(line) ?? ''}`);
  const total = toMoney(order.price + order.tax, store.currency);
  const time = toLocalTime(order.created_at, store.timezone).slice(-5);
  return `${time}  ${nameOf(store)}: ${names.join(', ')} for ${order.customer.name}, ${total}  ${order.id}`;
}

/** Made-up people with unassigned phone numbers. */
const CUSTOMERS = [
  { name: 'Ada Kowalska', phone: '+48 22 555 0111' },
  { name: 'Björn Lindqvist', phone: '+46 8 555 0112' },
  { name: 'Chiamaka Obi', phone: '+234 1 555 0113' },
  { name: 'Daniela Rossi', phone: '+39 06 555 0114' },
  { name: '李 梅', phone: '+86 10 555 0115' },
  { name: 'Farid Haddad', phone: '+971 4 555 0116' },
];

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((element) => ({ element, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ element }) => element);
}
