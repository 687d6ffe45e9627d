import type { StoreEvent, StoreEventType } from '#sdk';
import { Option } from 'commander';

type DataOf<Type extends StoreEventType> = Extract<StoreEvent, { type: Type }>['data'];

/** What a line says of an event, beside its type. */
const GISTS: { readonly [Type in StoreEventType]: (data: DataOf<Type>) => string } = {
  'order.created': ({ order_id: id, status }) => `${id} ${status}`,
  'order.status_changed': ({ order_id: id, previous_status: before, status }) =>
    `${id} ${before} -> ${status}`,
  'order.updated': ({ order_id: id, changed }) => `${id} ${changed.join(', ')}`,
  'orders.imported': ({ created }) => (created === 1 ? '1 order' : `${created} orders`),
  'menu.published': ({ version }) => `version ${version}`,
  'menu.stock_changed': ({ external_id: id, in_stock: isThere }) =>
    `${id} ${isThere ? 'in stock' : 'sold out'}`,
  'store.updated': ({ changed }) => changed.join(', '),
};

/** A service that is newer may tell of what is not known here. */
export function gistOf({ type, data }: StoreEvent): string {
  return Object.hasOwn(GISTS, type) ? (GISTS[type] as (told: typeof data) => string)(data) : '';
}

export function typeOption(): Option {
  return new Option('--type <name...>', 'only these types').choices(Object.keys(GISTS));
}
