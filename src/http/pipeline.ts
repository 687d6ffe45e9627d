import { Type, type TObject } from '../support/shape/type.js';
import type { StoreReference, RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Database, SharedDatabase } from '../postgres/database.js';
import type { Actor } from '../support/actor.js';
import { DatabaseUnavailable } from '../support/errors.js';
import { ErrorList } from '../support/error-details.js';
import { refuseMovingCaller } from '../access/moving.js';
import { refuseMovingNamed } from '../access/moving.sql.js';
import { requirePermission, requireStore, type Principal } from '../access/principal.js';
import type { Limits } from '../support/limits.js';
import { compileQuery, parseQuery } from '../support/shape/compile-query.js';
import { isResourceId } from '../support/uuid.js';
import type { Authenticate } from '../access/authentication.js';
import { compileReadBody } from './body.js';
import type { Readiness } from './health.js';
import type { RateLimit } from './rate-limit.js';
import { closedSignal, openBodyRoom, ownerOf, takePermit, type RequestPermits } from './request-limits.js';
import type { UnknownKeys } from '../support/shape/compile-shape.js';
import type { RouteRequest, Route } from './route.js';
import type { MatchedRequest, Responder } from './router.js';

export interface PipelineDeps {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly rate: RateLimit;
  readonly permits: RequestPermits;
  readonly limits: Limits;
  readonly readiness: Readonly<Readiness>;
  /** Aborts when the service ends and waits no longer for the rest of a body. */
  readonly tooLate: AbortSignal;
  /** Whether a query parameter that the route does not know is refused or ignored. */
  readonly unknownQuery: 'refused' | 'ignored';
  /** The same for a key in a body. */
  readonly unknownKeys: UnknownKeys;
}

/** Puts the checks, in one fixed order, before every route of a surface. */
export function toResponders(routes: readonly Route[], deps: PipelineDeps): Responder[] {
  return routes.map((route) => {
    const respond = compileRespond(route, deps);
    return {
      method: route.method,
      path: route.path.replace(/\{(\w+)\}/g, ':$1'),
      respond: (matched) => {
        if (!deps.readiness.isReady) throw new DatabaseUnavailable();
        return respond(matched);
      },
    };
  });
}

/** The body is not touched before all checks have passed. */
function compileRespond(route: Route, deps: PipelineDeps): Responder['respond'] {
  const { body, handler } = route;
  const authorize = compileChecks(route, deps);

  if (body !== undefined) {
    const readBody = compileReadBody(body, deps.limits, deps.tooLate, deps.unknownKeys);
    // A stream is never in memory as a whole, and asks for no room.
    const bodies = body.kind === 'menu' ? deps.permits.menuBodies : deps.permits.jsonBodies;
    return async (matched) => {
      const call = await authorize(matched);
      const room = openBodyRoom(bodies, ownerOf(call.principal), call.signal);
      try {
        return await handler({ ...call, body: await readBody(matched.request, matched.response, room) });
      } finally {
        room.release();
      }
    };
  }
  if (route.hasLargeResponse === true)
    return async (matched) => {
      const call = await authorize(matched);
      await takePermit(deps.permits.largeResponses, call.principal, matched.response);
      return handler(call);
    };
  return async (matched) => handler(await authorize(matched));
}

/**
 * The share of the database's connections that a request may use: that of its store. An order may name a store that is not
 * the caller's; the request then uses the share of the caller's merchant.
 */
function partOfDatabase(
  db: Database,
  principal: Principal,
  store: RequestedStore | undefined,
  by: Actor,
): SharedDatabase {
  if (principal.kind === 'operator') return db.forTenant(store, by);
  return db.forTenant(
    store?.merchantId === principal.merchantId ? store : { merchantId: principal.merchantId },
    by,
  );
}

/** The key, its rate, path and query, the store, a permit, any other resource, the permission, the store's rate. */
function compileChecks(route: Route, deps: PipelineDeps): (matched: MatchedRequest) => Promise<RouteRequest> {
  const { storeParam, storeRate, findResource, permission } = route;
  const parseUrl = compileParseUrl(route, deps.unknownQuery);
  const nameStore = compileNameStore(route);
  const isWrite = route.method !== 'GET';
  // What is held open, or takes as long as its stream, would keep its permit.
  const takesPermit = route.isHeldOpen !== true && route.body?.kind !== 'stream';
  const permits = route.body?.kind === 'menu' ? deps.permits.menusUnderWay : deps.permits.underWay;

  return async (matched) => {
    const { request, response, context } = matched;
    const named = nameStore(matched.params);
    const { principal, store, resource: read } = await deps.authenticate(request, named, matched.params);
    context.keyId = principal.id;
    deps.rate.count(principal.id);
    refuseMovingCaller(principal, store, isWrite);
    const { params, query, queryText } = parseUrl(matched);
    if (storeParam !== undefined) requireStore(principal, store);
    if (takesPermit) await takePermit(permits, principal, response);
    const by = { keyId: principal.id, label: principal.label, via: context.via, requestId: context.id };
    const call: RouteRequest = {
      principal,
      by,
      db: partOfDatabase(deps.db, principal, store, by),
      params,
      query,
      queryText,
      body: undefined,
      store,
      resource: read,
      request,
      signal: () => closedSignal(response),
      takeStreamPermit: () => takePermit(deps.permits.streamedResponses, principal, response),
      reauthorize: async () => {
        const now = await deps.authenticate(request, named, matched.params);
        refuseMovingCaller(now.principal, now.store, isWrite);
        if (storeParam !== undefined) requireStore(now.principal, now.store);
        requirePermission(now.principal, permission);
        return { principal: now.principal, store: now.store };
      },
    };
    if (principal.kind === 'operator' && route.isOfMove !== true) await refuseNamed(call);
    const resource = findResource === undefined ? undefined : await findResource(call);
    requirePermission(principal, permission);
    if (store !== undefined) storeRate?.count(store.id);
    return resource === undefined ? call : { ...call, resource };
  };
}

/** Path and query may name a merchant, and a filter a store. */
async function refuseNamed({ db, principal, params, query }: RouteRequest): Promise<void> {
  const { merchant_id, store_id } = query as Readonly<Record<string, string | undefined>>;
  const inPath = params as Readonly<Record<string, string | undefined>>;
  const merchantId = inPath['merchant_id'] ?? inPath['merchant_service_id'] ?? merchant_id;
  if (isResourceId(merchantId)) await refuseMovingNamed(db, principal, { merchantId });
  if (isResourceId(store_id)) await refuseMovingNamed(db, principal, { storeId: store_id });
}

function compileNameStore({ storeParam, storeOfPath }: Route) {
  return (texts: Readonly<Record<string, string>>): StoreReference | undefined => {
    const id = storeParam === undefined ? undefined : texts[storeParam];
    return isResourceId(id) ? { id } : storeOfPath?.(texts);
  };
}

/** Reads path and query, and throws all that is wrong about them at once. */
function compileParseUrl(
  route: Route,
  unknownQuery: PipelineDeps['unknownQuery'],
): (matched: MatchedRequest) => Pick<RouteRequest, 'params' | 'query' | 'queryText'> {
  const checkParams = numericParams(route.params);
  if (route.query === undefined && unknownQuery === 'ignored' && checkParams === undefined)
    return ({ params }) => ({ params, query: {}, queryText: {} });
  const checkQuery = compileQuery(route.query ?? Type.Object({}), 'query', unknownQuery);
  return ({ params: texts, search }) => {
    const errors = new ErrorList();
    const queryText = parseQuery(search);
    const query = checkQuery(queryText, errors);
    const params = checkParams === undefined ? texts : { ...texts, ...checkParams(texts, errors) };
    errors.throwIfAny();
    return { params, query, queryText };
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
