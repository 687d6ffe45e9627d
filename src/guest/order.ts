import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Place } from '../access/principal.js';
import type { GuestIntake } from '../orders/intake/intake.js';
import { parseFacts } from '../orders/facts.js';
import type { OrderRequest } from '../orders/request-shapes.js';
import type { SharedDatabase } from '../postgres/database.js';
import type { PricedLine } from '../quotes/check-line.js';
import type { SelectedModifier } from '../quotes/check-modifiers.js';
import { TooManyRequests } from '../support/errors.js';
import { ErrorList } from '../support/error-details.js';
import type { ManagedStore } from '../tenants/shapes.js';
import { firstLanguage, nameIn } from '../support/languages.js';
import { MOST_RECENT, secondsUntil } from './limits.js';
import { readPlaceLoad, type GuestsOrder } from './orders.sql.js';
import { hashSecret } from '../access/secret.js';
import { tokenOf } from './secrets.js';
import type { GuestOrder, GuestOrderRequest } from './shapes.js';
import { progressOf, type Progress } from './stream.js';

type Wants = Required<Pick<NonNullable<ManagedStore['guest']>, 'name' | 'phone' | 'most_open'>>;

export function guestSettings({ guest = {} }: ManagedStore): Wants {
  const { name = 'optional', phone = 'none', most_open = 5 } = guest;
  return { name, phone, most_open };
}

/** The order of the guest. Its expected total is the one that the guest has seen. */
export function toOrderRequest(asked: GuestOrderRequest, wants: Wants): OrderRequest {
  const { items, expected_total: total, customer_comments: comments, ready_by: readyBy } = asked;
  const errors = new ErrorList();
  const read = (field: 'name' | 'phone') => {
    const given = wants[field] === 'none' ? '' : (asked.customer?.[field] ?? '').trim();
    if (given === '' && wants[field] === 'required')
      errors.add({ loc: ['body', 'customer', field], msg: 'Field required', type: 'missing' });
    return given;
  };
  const customer = { name: read('name'), phone: read('phone') };
  errors.throwIfAny();
  return {
    customer,
    items,
    price: total.price,
    tax: total.tax,
    expected_total: total,
    ...(readyBy === undefined ? {} : { ready_by: readyBy }),
    ...(comments === undefined || comments.trim() === '' ? {} : { customer_comments: comments }),
  };
}

interface Ordering {
  readonly db: SharedDatabase;
  readonly store: RequestedStore;
  readonly shownStore: ManagedStore;
  readonly place: Place;
  /** Makes the tokens of the place. */
  readonly seed: Buffer;
  readonly clientKey: string;
  /** Throws where the address of the guest may order no more. */
  readonly requireAddress: () => void;
  readonly isLimited: boolean;
}

/** How a guest's order is taken in. */
export function guestIntake(ordering: Ordering): GuestIntake {
  const { db, store, shownStore, place, seed, clientKey, isLimited } = ordering;
  const { most_open: mostOpen } = guestSettings(shownStore);
  const language = firstLanguage(shownStore.name);
  return {
    place,
    mostOpen,
    mostRecent: isLimited ? MOST_RECENT : undefined,
    tokenHash: (orderId) => hashSecret(tokenOf(orderId, seed, clientKey)),
    requireRoom: async () => {
      ordering.requireAddress();
      const now = Date.now();
      const load = await readPlaceLoad(db, store.storeKey, place.id, new Date(now - MOST_RECENT.ms));
      if (load.open >= mostOpen) throw new TooManyRequests(OPEN_SECONDS, tooManyOpen(mostOpen));
      if (isLimited && load.recent >= MOST_RECENT.count)
        throw new TooManyRequests(
          secondsUntil((load.oldest?.getTime() ?? now) + MOST_RECENT.ms, now),
          'This place has ordered several times within a few minutes. Ask the staff, or try again later.',
        );
    },
    write: (request, { lines }) => ({
      ...request,
      service: place.kind === 'table' ? 'dine_in' : 'pickup',
      items: lines.map((line, i) => lineIn(language, line, request.items[i]?.['comments'])),
    }),
  };
}

/** `Retry-After` of a place with too many open orders: nobody knows when one is accepted. */
const OPEN_SECONDS = 60;

function tooManyOpen(most: number): string {
  return `This place has ${most} ${most === 1 ? 'order' : 'orders'} that the store has not accepted yet. Try again in a while.`;
}

/** A line of the order, in the store's language, because the kitchen reads it. */
function lineIn(language: string | undefined, line: PricedLine, comments: unknown): Record<string, unknown> {
  const { externalId, item, quantity, modifiers } = line;
  const toModifier = ({
    group,
    modifier,
    quantity,
    freeQuantity,
    modifiers: nested,
  }: SelectedModifier): object => ({
    group_external_id: group.externalId,
    external_id: modifier.externalId,
    name: nameIn(language, modifier.name, modifier.externalId),
    quantity,
    ...(freeQuantity === 0 ? {} : { free_quantity: freeQuantity }),
    price_change: modifier.priceChange,
    tax_change: modifier.taxChange,
    ...(nested.length === 0 ? {} : { modifiers: nested.map(toModifier) }),
  });
  return {
    external_id: externalId,
    name: nameIn(language, item.name, externalId),
    quantity,
    price: item.price,
    tax: item.tax,
    modifiers: modifiers.map(toModifier),
    ...(typeof comments === 'string' && comments.trim() !== '' ? { comments } : {}),
  };
}

type ShownToGuest = Pick<GuestsOrder, 'number' | 'items' | 'facts'> & Progress;

/** The order as its guest sees it. */
export function showOrder(order: ShownToGuest, token: string, original?: GuestOrder['original']): object {
  const { number } = order;
  const { service } = parseFacts(order.facts);
  const items = JSON.parse(order.items) as object[];
  return { token, number, ...progressOf(order), service, items, original };
}
