import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Place } from '../access/principal.js';
import type { EventWatch } from '../feed/watch.js';
import type { RouteRequest } from '../http/route.js';
import type { PricedMenu } from '../menus/price-list.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { Orders } from '../orders/orders.js';
import type { StorePace } from '../pace/settings.js';
import type { Database } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import type { Limits } from '../support/limits.js';
import type { Subnet } from '../support/subnet.js';
import { createMenuLanguages } from './languages.js';
import { createPlaceRate } from './limits.js';
import type { ReadGuestsOrder } from './orders.sql.js';

export interface GuestContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly storePace: StorePace;
  readonly orders: Pick<Orders, 'takeInChecked' | 'change'>;
  readonly limits: Limits;
  readonly watch: EventWatch;
  readonly readOrder: ReadGuestsOrder;
  readonly trustedProxies: readonly Subnet[];
  /** The place that a request names by its code or token; every request counts towards its rate. */
  readonly findPlace: (call: RouteRequest) => Promise<FoundPlace>;
  readonly languagesOf: (menu: PricedMenu) => readonly string[];
}

type Given = Omit<GuestContext, 'findPlace' | 'languagesOf'>;

interface FoundPlace {
  readonly store: RequestedStore;
  readonly place: Place;
}

/** What the routes of guests share. */
export function createGuestContext(given: Given): GuestContext {
  const placeRate = createPlaceRate(given.limits.requestsPerSecond !== 'off');
  const findPlace = (call: RouteRequest) => {
    const found = guestOf(call);
    placeRate.count(found.place.id);
    return Promise.resolve(found);
  };
  return { ...given, findPlace, languagesOf: createMenuLanguages() };
}

/** The place and its store, which the check of the code or token has found. */
function guestOf({ principal, store }: RouteRequest): FoundPlace {
  const place = principal.kind === 'merchant' ? principal.place : undefined;
  if (store === undefined || place === undefined) throw new NotFound('Place');
  return { store, place };
}
