import type { ServerResponse } from 'node:http';
import Type, { type TObject } from 'typebox';
import { Busy, DatabaseUnavailable, NobodyWaits } from '../domain/errors.js';
import { FaultList } from '../domain/faults.js';
import type { Limits } from '../domain/limits.js';
import { requirePermission, requireStore, type Principal } from '../domain/key/principal.js';
import { isResourceId } from '../domain/resource-id.js';
import { compileQuery } from '../domain/shape/compile-query.js';
import type { Slots } from '../domain/slots.js';
import type { Authenticate } from './authentication.js';
import { bodySize, compileReadBody } from './body.js';
import type { TakeRoom } from './byte-budget.js';
import type { RateLimit } from './rate-limit.js';
import type { Call, Route } from './route.js';
import { parseQuery, type Endpoint, type MatchedRequest } from './router.js';

export interface Gatekeeping {
  readonly authenticate: Authenticate;
  readonly rate: RateLimit;
  readonly takeRoom: TakeRoom;
  readonly largeAnswers: Slots;
  readonly limits: Limits;
  readonly isReady: () => boolean;
  /** Aborts when the service is told to end. */
  readonly closing: AbortSignal;
  /** Whether a query parameter that the route does not know is refused or ignored. */
  readonly unknownQuery: 'refused' | 'ignored';
}

/** The routes of a surface, each behind the same checks in the same order. */
export function toEndpoints(routes: readonly Route[], gate: Gatekeeping): Endpoint[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/\{(\w+)\}/g, ':$1'),
    respond: compileRespond(route, gate),
  }));
}

/** The body is not touched before all checks have passed. */
function compileRespond(route: Route, gate: Gatekeeping): Endpoint['respond'] {
  const { body, handler } = route;
  const admit = compileAdmission(route, gate);
  if (route.hasLargeAnswer === true)
    return async (matched) => {
      const call = await admit(matched);
      await takeSlot(gate.largeAnswers, ownerOf(call.key), matched.response);
      return handler(call);
    };
  if (body === undefined) return async (matched) => handler(await admit(matched));

  const readBody = compileReadBody(body, gate.limits, gate.closing);
  return async (matched) => {
    const call = await admit(matched);
    const { request, response } = matched;
    const release = await gate.takeRoom(ownerOf(call.key), bodySize(request, body, gate.limits));
    try {
      return await handler({ ...call, body: await readBody(request, response) });
    } finally {
      release();
    }
  };
}

const LONGEST_WAIT_MS = 20_000;

/** The slot is taken until the answer is out, or its client gone: whoever reads slowly waits for itself. */
async function takeSlot(slots: Slots, owner: string, response: ServerResponse): Promise<void> {
  const gone = signalOf(response);
  const hasSlot = await slots.take({ owner, waitMs: LONGEST_WAIT_MS, gone });
  if (!hasSlot) throw gone.aborted ? new NobodyWaits() : new Busy('Too many large answers are under way');
  if (gone.aborted) slots.giveBack(owner);
  else gone.addEventListener('abort', () => slots.giveBack(owner));
}

/** Authentication, rate, path and query, the resource, the permission. */
function compileAdmission(route: Route, gate: Gatekeeping): (matched: MatchedRequest) => Promise<Call> {
  const { storeParam, locate, permission } = route;
  const checkQuery = compileQuery(route.query ?? Type.Object({}), 'query', gate.unknownQuery);
  const checkParams = numericParams(route.params);

  return async ({ request, response, params: texts, search, facts }) => {
    if (!gate.isReady()) throw new DatabaseUnavailable();
    const storeId = storeParam === undefined ? undefined : texts[storeParam];
    const { principal, store } = await gate.authenticate(
      request,
      isResourceId(storeId) ? storeId : undefined,
    );
    facts.keyId = principal.id;
    gate.rate.take(principal.id);

    const faults = new FaultList();
    const queryText = parseQuery(search);
    const query = checkQuery(queryText, faults);
    const params = checkParams === undefined ? texts : { ...texts, ...checkParams(texts, faults) };
    faults.throwIfAny();

    if (storeParam !== undefined) requireStore(principal, store);
    const located: Call = {
      key: principal,
      params,
      query,
      queryText,
      body: undefined,
      store,
      target: undefined,
      request,
      gone: () => signalOf(response),
    };
    const call = locate === undefined ? located : { ...located, target: await locate(located) };
    requirePermission(principal, permission);
    return call;
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

function ownerOf(key: Principal): string {
  return key.kind === 'merchant' ? key.merchantId : key.id;
}

function signalOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.closed) leaving.abort();
  else response.once('close', () => leaving.abort());
  return leaving.signal;
}
