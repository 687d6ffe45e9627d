import type { IncomingMessage } from 'node:http';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Authenticate, Caller, DelayRefusal } from '../access/authentication.js';
import type { Place } from '../access/principal.js';
import type { Database } from '../postgres/database.js';
import { NotFound, requireFound } from '../support/errors.js';
import type { ReadGuestsOrder } from './orders.sql.js';
import { createPlaceLookup, createStoreLookup } from './places.sql.js';
import { matchesToken, orderOfToken } from './secrets.js';

export interface GuestAccess {
  /** The pool of key lookups, which never waits for other work. */
  readonly keyChecks: Database;
  readonly readOrder: ReadGuestsOrder;
  readonly delayRefusal: DelayRefusal;
}

/**
 * Authenticates a guest by the code of a place or the token of an order. If either is wrong, the place or order is not found,
 * and a client that tries many of them waits longer and longer.
 */
export function byCodeOrToken({ keyChecks, readOrder, delayRefusal }: GuestAccess): Authenticate {
  const findPlace = createPlaceLookup(keyChecks);
  const findStore = createStoreLookup(keyChecks);

  const byCode = async (code: string): Promise<Caller> => {
    const found = requireFound(await findPlace(code), 'Place');
    return callerAt(found.place, found.store);
  };
  const byToken = async (token: string): Promise<Caller> => {
    const named = orderOfToken(token);
    const store = named && (await findStore(named.storeKey));
    const order = named && store && (await readOrder(store, named.orderId));
    if (store === undefined || order?.place === undefined || !matchesToken(token, order.tokenHash))
      throw new NotFound('Order');
    return { ...callerAt(order.place, store), resource: order };
  };
  return (request: IncomingMessage, _, { code, token = '' }) =>
    (code === undefined ? byToken(token) : byCode(code)).catch((error: unknown) =>
      delayRefusal(request, error),
    );
}

/** All guests of a merchant count as one caller, and as the merchant. */
function callerAt(place: Place, store: RequestedStore): Caller {
  const { id, merchantId } = store;
  const principal = {
    kind: 'merchant',
    id: `guests of ${merchantId}`,
    merchantId,
    storeIds: [id],
    permissions: ['guest'],
    place,
  } as const;
  return { principal, store };
}
