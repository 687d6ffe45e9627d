import type { Client, StoreEvent, StoreEventType } from '#sdk';
import { findStoreId, toWholeNumber, TYPES } from '../lib/arguments.js';
import { command, type CommandRow, type Given } from '../lib/command.js';
import type { Output } from '../lib/output.js';
import { paint, type Terminal } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';

export const FOLLOW = [
  ['--store <store>', 'only events of this store (id or external_id)', { find: findStoreId }],
  TYPES,
  ['--after <cursor>', 'start after this cursor; `start` for the oldest kept event'],
  ['--count <number>', 'stop after this many events', toWholeNumber],
] as const;

type FollowFlags = Given<[], typeof FOLLOW> & { readonly includeOrder?: true | undefined };

export const EVENT_ROWS: readonly CommandRow[] = [
  command('events tail', 'print events as they happen until Ctrl-C; reconnects by itself', {
    flags: FOLLOW,
    run: ({ client, out, terminal }, given) =>
      out.each(follow(client, out, given), given.count, (event) => toLine(terminal, event)),
  }),
];

export function follow(client: Client, out: Output, flags: FollowFlags): AsyncIterable<StoreEvent> {
  return client.events({
    storeId: flags.store,
    types: flags.type,
    after: flags.after,
    includeOrder: flags.includeOrder,
    onReconnect: ({ message }, seconds) => out.note(`${message}; retrying in ${Math.ceil(seconds)} s.`),
  });
}

/** In a terminal, the essentials; otherwise every field, tab-separated. */
function toLine(terminal: Terminal, event: StoreEvent): string {
  const [time = '', type = '', gist = '', ...others] = [
    event.timestamp,
    event.type,
    gistOf(event),
    event.store_id,
    String(event.sequence),
  ].map(toPlain);
  if (!terminal.isForPeople) return [time, type, gist, ...others].join('\t');
  return `${paint(terminal, 'dim', time)}  ${paint(terminal, 'bold', type)}  ${gist}`;
}

type DataOf<Type extends StoreEventType> = Extract<StoreEvent, { type: Type }>['data'];

/** What a line says about an event, besides its type. */
const GISTS: { readonly [Type in StoreEventType]: (data: DataOf<Type>) => string } = {
  'order.created': ({ order_id: id, status }) => `${id} ${status}`,
  'order.status_changed': ({ order_id: id, previous_status: before, status }) =>
    `${id} ${before} -> ${status}`,
  'order.updated': ({ order_id: id, changed }) => `${id} ${changed.join(', ')}`,
  'order.attention': ({ order_id: id, reason }) => `${id} ${reason.replaceAll('_', ' ')}`,
  'orders.imported': ({ created }) => (created === 1 ? '1 order' : `${created} orders`),
  'menu.published': ({ version }) => `version ${version}`,
  'menu.stock_changed': ({ external_id: id, in_stock: isThere }) =>
    `${id} ${isThere ? 'in stock' : 'sold out'}`,
  'menu.publication_refused': ({ result, detail }) => detail ?? result.replaceAll('_', ' '),
  'store.updated': ({ changed }) => changed.join(', '),
  'store.intake_changed': ({ state, until }) => (until === undefined ? state : `${state} until ${until}`),
  'printer.trouble': ({ printer_id: id, trouble }) => `${id} ${trouble.replaceAll('_', ' ')}`,
  'printer.recovered': ({ printer_id: id }) => id,
};

/** A newer service may send types that are unknown here. */
export function gistOf({ type, data }: StoreEvent): string {
  return Object.hasOwn(GISTS, type) ? (GISTS[type] as (told: typeof data) => string)(data) : '';
}
