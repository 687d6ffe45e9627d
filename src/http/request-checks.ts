import Type, { type TObject } from 'typebox';
import type { StoreReference, RequestedStore } from '../db/callers.js';
import type { Database, SharedDatabase } from '../db/database.js';
import type { ExpectedCaller } from '../db/expected-caller.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { FaultList } from '../domain/faults.js';
import { requirePermission, requireStore, type Principal } from '../domain/key/principal.js';
import type { Limits } from '../domain/limits.js';
import { storeKeyOfOrder } from '../domain/order/id.js';
import { compileQuery, parseQuery } from '../domain/shape/compile-query.js';
import { isResourceId } from '../domain/uuid.js';
import type { Authenticate, Caller } from './authentication.js';
import { bodySize, compileReadBody } from './body.js';
import type { Readiness } from './health.js';
import { ownerOf, closedSignal, takeSlot, type RateLimit, type RequestSlots } from './request-limits.js';
import type { ReadAhead } from './read-ahead.js';
import type { Call, Route } from './route.js';
import type { MatchedRequest, Responder } from './http-server.js';

export interface Gatekeeping {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly rate: RateLimit;
  readonly readAhead: ReadAhead;
  readonly slots: RequestSlots;
  readonly limits: Limits;
  readonly readiness: Readonly<Readiness>;
  /** Aborts when the service ends and waits no longer for the rest of a body. */
  readonly tooLate: AbortSignal;
  /** Whether a query parameter that the route does not know is refused or ignored. */
  readonly unknownQuery: 'refused' | 'ignored';
}

/** The routes of a surface, each behind the same checks in the same order. */
export function toResponders(routes: readonly Route[], gate: Gatekeeping): Responder[] {
  return routes.map((route) => {
    const respond = compileRespond(route, gate);
    return {
      method: route.method,
      path: route.path.replace(/\{(\w+)\}/g, ':$1'),
      respond: (matched) => {
        if (!gate.readiness.isReady) throw new DatabaseUnavailable();
        return respond(matched);
      },
    };
  });
}

/** The body is not touched before all checks have passed. */
function compileRespond(route: Route, gate: Gatekeeping): Responder['respond'] {
  const { body, handler } = route;
  const { readAddress, identify, countRequest, admit } = compileChecks(route, gate);
  const admitted = async (matched: MatchedRequest) => {
    const address = readAddress(matched);
    const caller = await identify(address);
    countRequest(address, caller);
    return admit(address, caller);
  };

  if (body !== undefined) {
    const readBody = compileReadBody(body, gate.limits, gate.tooLate);
    const room = body.kind === 'menu' ? gate.slots.menuBytes : gate.slots.jsonBytes;
    return async (matched) => {
      const call = await admitted(matched);
      const { request, response } = matched;
      const wanted = { owner: ownerOf(call.principal), amount: bodySize(request, body, gate.limits) };
      const giveBack = room.takeNow(wanted) ?? (await room.take({ ...wanted, gone: call.gone() }));
      try {
        return await handler({ ...call, body: await readBody(request, response) });
      } finally {
        giveBack();
      }
    };
  }
  if (route.hasLargeAnswer === true)
    return async (matched) => {
      const call = await admitted(matched);
      await takeSlot(gate.slots.largeAnswers, call.principal, matched.response);
      return handler(call);
    };
  if (route.isReadAhead === true)
    return (matched) => {
      const address = readAddress(matched);
      return gate.readAhead(matched.request, address.store, {
        identify: () => identify(address),
        countRequest: (caller) => countRequest(address, caller),
        answer: async (caller, expected) => handler(await admit(address, caller, expected)),
      });
    };
  return async (matched) => handler(await admitted(matched));
}

/**
 * The share of the database's connections that a request may use: that of its store. An order may name a store that is not
 * the caller's; the request then uses the share of the caller's merchant.
 */
function partOfDatabase(
  db: Database,
  principal: Principal,
  store: RequestedStore | undefined,
): SharedDatabase {
  if (principal.kind === 'operator') return store === undefined ? db : db.of(store);
  return db.of(store?.merchantId === principal.merchantId ? store : { merchantId: principal.merchantId });
}

/** What the address of a request names, with all that is wrong about it; none of it is told to someone without a key. */
interface RequestAddress extends AddressTexts {
  readonly matched: MatchedRequest;
  readonly store: StoreReference | undefined;
  /** Whether the request has its slot among those under way: it may be answered twice, but takes one. */
  hasSlot: boolean;
}

interface Checks {
  readonly readAddress: (matched: MatchedRequest) => RequestAddress;
  /** Whose key it is. */
  readonly identify: (address: RequestAddress) => Promise<Caller>;
  /** Whether it may ask so often; from here on the request is known to be the caller's. */
  readonly countRequest: (address: RequestAddress, caller: Caller) => void;
  readonly admit: (address: RequestAddress, caller: Caller, expected?: ExpectedCaller) => Promise<Call>;
}

/** The key, its rate, path and query, the store, a slot, any other resource, the permission, the store's rate. */
function compileChecks(route: Route, gate: Gatekeeping): Checks {
  const { storeParam, storeRate, findResource, permission } = route;
  const readTexts = compileReadTexts(route, gate.unknownQuery);
  const nameStore = compileNameStore(route);
  // A menu or a stream counts by the bytes of its body instead, and what is held open would keep its slot for ever.
  const takesSlot = route.isHeldOpen !== true && route.body?.kind !== 'menu' && route.body?.kind !== 'stream';

  return {
    readAddress: (matched) => ({
      matched,
      store: nameStore(matched.params),
      hasSlot: false,
      ...readTexts(matched),
    }),
    identify: ({ matched, store }) => gate.authenticate(matched.request, store),
    countRequest({ matched: { facts } }, { principal }) {
      facts.caller = { keyId: principal.id, owner: ownerOf(principal) };
      gate.rate.count(principal.id);
    },
    async admit(address, { principal, store }, expected) {
      const { matched, store: named, params, query, queryText } = address;
      address.faults?.throwIfAny();
      if (storeParam !== undefined) requireStore(principal, store);
      const { request, response } = matched;
      if (takesSlot && !address.hasSlot) {
        await takeSlot(gate.slots.underWay, principal, response);
        address.hasSlot = true;
      }
      const call: Call = {
        principal,
        db: partOfDatabase(gate.db, principal, store),
        params,
        query,
        queryText,
        body: undefined,
        store,
        expected,
        resource: undefined,
        request,
        gone: () => closedSignal(response),
        recheckCaller: async () => {
          const now = await gate.authenticate(request, named);
          if (storeParam !== undefined) requireStore(now.principal, now.store);
          requirePermission(now.principal, permission);
          return { principal: now.principal, store: now.store };
        },
      };
      const resource = findResource === undefined ? undefined : await findResource(call);
      requirePermission(principal, permission);
      if (store !== undefined) storeRate?.count(store.id);
      return resource === undefined ? call : { ...call, resource };
    },
  };
}

function compileNameStore({ storeParam, orderParam }: Route) {
  return (texts: Readonly<Record<string, string>>): StoreReference | undefined => {
    const id = storeParam === undefined ? undefined : texts[storeParam];
    if (isResourceId(id)) return { id };
    const storeKey = orderParam === undefined ? undefined : storeKeyOfOrder(texts[orderParam] ?? '');
    return storeKey === undefined ? undefined : { storeKey };
  };
}

/** What is read from the path and from the query. */
interface AddressTexts {
  readonly params: unknown;
  readonly query: unknown;
  readonly queryText: Readonly<Record<string, string>>;
  /** undefined where there was nothing to check. */
  readonly faults: FaultList | undefined;
}

function compileReadTexts(
  route: Route,
  unknownQuery: Gatekeeping['unknownQuery'],
): (matched: MatchedRequest) => AddressTexts {
  const checkParams = numericParams(route.params);
  if (route.query === undefined && unknownQuery === 'ignored' && checkParams === undefined)
    return ({ params }) => ({ params, query: {}, queryText: {}, faults: undefined });
  const checkQuery = compileQuery(route.query ?? Type.Object({}), 'query', unknownQuery);
  return ({ params: texts, search }) => {
    const faults = new FaultList();
    const queryText = parseQuery(search);
    const query = checkQuery(queryText, faults);
    const params = checkParams === undefined ? texts : { ...texts, ...checkParams(texts, faults) };
    return { params, query, queryText, faults };
  };
}

/** Identifiers are opaque: a strange one is simply not found. Only numbers in a path have a form to check. */
function numericParams(params: TObject | undefined) {
  const numeric = Object.entries(params?.properties ?? {}).filter(
    ([, schema]) => (schema as { type?: string }).type === 'integer',
  );
  return numeric.length === 0
    ? undefined
    : compileQuery(Type.Object(Object.fromEntries(numeric)), 'path', 'ignored');
}
