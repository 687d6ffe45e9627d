import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requirePermission, requireStore } from '../domain/key/principal.js';
import { isResourceId, RESOURCE_ID_LENGTH } from '../domain/resource-id.js';
import { readKeyHeader, type Authenticate, type CheckKey, type Visitor } from './authentication.js';
import { readPlainHead, type PlainHead } from './plain-head.js';
import type { TakeToken } from './rate-limit.js';
import { requestId } from './request-id.js';
import type { NoteRequest, RequestTimes } from './request-times.js';
import { toRouterPath, type Operation, type ReadyAnswer } from './route.js';

export interface ExpressLane {
  readonly checkKey: CheckKey;
  readonly takeToken: TakeToken;
  readonly isReady: () => boolean;
  readonly times: RequestTimes;
}

/**
 * Answers what is ready in memory without the framework, whose routing, hooks and reply take longer than all our part of it.
 * Only a request that passes every check is answered here. Every other goes on to the framework as if it had not been
 * looked at, so that each refusal has one place; what was learned about its key and store goes with it.
 * Returns the authentication that the framework's operations are to use.
 */
export function openExpressLane(
  app: FastifyInstance,
  operations: readonly Operation[],
  { checkKey, takeToken, isReady, times }: ExpressLane,
): Authenticate {
  const stops = operations.filter(({ ready }) => ready !== undefined).map((each) => toStop(each, times));
  const visits = new WeakMap<IncomingMessage, Promise<Visitor>>();
  const [framework] = app.server.listeners('request') as [RequestListener];
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });

  app.server.removeListener('request', framework);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const begun = performance.now();
    const read = isClosing || !isReady() ? undefined : findRead(stops, request);
    if (read === undefined) return framework(request, response);
    const { stop, storeId, head } = read;
    const visit = checkKey(head.key, storeId);
    const goOn = () => {
      visits.set(request, visit);
      framework(request, response);
    };
    visit.then((visitor) => {
      const answer = takeAnswer(read, visitor, takeToken);
      if (answer === undefined) return goOn();
      const { status, headers, body } = answer;
      response.writeHead(status, ['x-request-id', requestId(head.requestId), ...headers]);
      if (body !== undefined) return response.end(body, () => stop.note(status, performance.now() - begun));
      response.end();
      stop.note(status, performance.now() - begun);
    }, goOn);
  });

  return async (request, storeId) => visits.get(request) ?? checkKey(readKeyHeader(request), storeId);
}

/** A path of which only the store's id is not known beforehand. */
interface Stop {
  readonly operation: Operation;
  readonly note: NoteRequest;
  readonly before: string;
  readonly after: string;
}

function toStop(operation: Operation, times: RequestTimes): Stop {
  const { method, path } = operation;
  const [before = '', after = ''] = path.split(/\{\w+\}/);
  return { operation, note: times.of(method, toRouterPath(path)), before, after };
}

/** A request that may be answered from memory, if its key and store allow. */
interface Read {
  readonly stop: Stop;
  readonly storeId: string;
  readonly head: PlainHead;
}

function findRead(stops: readonly Stop[], request: IncomingMessage): Read | undefined {
  const { method, url = '' } = request;
  if (method !== 'GET') return undefined;
  for (const stop of stops) {
    const { before, after } = stop;
    if (url.length !== before.length + RESOURCE_ID_LENGTH + after.length) continue;
    if (!url.startsWith(before) || !url.endsWith(after)) continue;
    const storeId = url.slice(before.length, before.length + RESOURCE_ID_LENGTH);
    const head = isResourceId(storeId) ? readPlainHead(request) : undefined;
    return head && { stop, storeId, head };
  }
  return undefined;
}

function takeAnswer(
  { stop: { operation }, head }: Read,
  { principal, store }: Visitor,
  takeToken: TakeToken,
): ReadyAnswer | undefined {
  try {
    const seen = requireStore(principal, store);
    requirePermission(principal, operation.permission);
    const answer = operation.ready?.(seen, head.headers);
    if (answer !== undefined) takeToken(principal.id);
    return answer;
  } catch {
    // Whatever it was, it happens to the framework too, which has the words for it.
    return undefined;
  }
}
