import type { EventWatch } from '../feed/watch.js';
import { createRateLimit } from '../http/rate-limit.js';
import type { RouteRequest } from '../http/route.js';
import type { Menus } from '../menus/rendering/menus.js';
import type { Orders } from '../orders/orders.js';
import type { StorePace } from '../pace/settings.js';
import type { Database } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import type { Limits } from '../support/limits.js';
import type { Subnet } from '../support/subnet.js';
import type { ReadGuestsOrder } from './orders.sql.js';
import type { FoundPlace } from './places.sql.js';

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
}

const REQUESTS_A_SECOND = 10;

/** What the routes of guests share. The check of the code or token has found the place and its store. */
export function createGuestContext(given: Omit<GuestContext, 'findPlace'>): GuestContext {
  const perSecond = given.limits.requestsPerSecond === 'off' ? 'off' : REQUESTS_A_SECOND;
  const placeRate = createRateLimit(perSecond, REQUESTS_A_SECOND);
  return {
    ...given,
    findPlace: ({ principal, store }) => {
      const place = principal.kind === 'merchant' ? principal.place : undefined;
      if (store === undefined || place === undefined) throw new NotFound('Place');
      placeRate.count(place.id);
      return Promise.resolve({ store, place });
    },
  };
}
