import { requirePermission, requireStore } from '../domain/key/principal.js';
import { isResourceId, RESOURCE_ID_LENGTH } from '../domain/resource-id.js';
import type { CheckKey, Visitor } from './authentication.js';
import { readPlainHead, type PlainHead } from './plain-head.js';
import type { TakeToken } from './rate-limit.js';
import { requestId } from './request-id.js';
import type { NoteRequest, RequestTimes } from './request-times.js';
import { toRouterPath, type Operation, type ReadyAnswer } from './route.js';

export interface ExpressChecks {
  readonly checkKey: CheckKey;
  readonly takeToken: TakeToken;
  readonly isReady: () => boolean;
  readonly times: RequestTimes;
}

/** A `GET` in HTTP/1.1. */
export interface ExpressRequest {
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
}

/** What becomes of a request that the lane has taken: one of the two, a moment later. */
export interface ExpressOutcome {
  /** `noteSent` is to be called when the bytes are out. */
  answer(answer: ReadyAnswer, noteSent: () => void): void;
  /** What was learned about key and store goes with it. */
  goOn(visit: Promise<Visitor>): void;
}

/** False for a request that cannot be answered from memory: then nothing becomes of it here. */
export type TakeExpress = (request: ExpressRequest, outcome: ExpressOutcome) => boolean;

/**
 * Finds what is ready in memory. Only a request that passes every check is answered; every other goes on to the framework
 * as if it had not been looked at, so that each refusal has one place.
 */
export function createExpressAnswers(
  operations: readonly Operation[],
  { checkKey, takeToken, isReady, times }: ExpressChecks,
): TakeExpress {
  const stops = operations.filter(({ ready }) => ready !== undefined).map((each) => toStop(each, times));
  return (request, outcome) => {
    const begun = performance.now();
    const read = isReady() ? findRead(stops, request) : undefined;
    if (read === undefined) return false;
    const { stop, storeId, head } = read;
    const visit = checkKey(head.key, storeId);
    const goOn = () => outcome.goOn(visit);
    visit.then((visitor) => {
      const ready = takeAnswer(read, visitor, takeToken);
      if (ready === undefined) return goOn();
      const headers = ['x-request-id', requestId(head.requestId), ...ready.headers];
      outcome.answer({ ...ready, headers }, () => stop.note(ready.status, performance.now() - begun));
    }, goOn);
    return true;
  };
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

function findRead(stops: readonly Stop[], { url = '', rawHeaders }: ExpressRequest): Read | undefined {
  for (const stop of stops) {
    const { before, after } = stop;
    if (url.length !== before.length + RESOURCE_ID_LENGTH + after.length) continue;
    if (!url.startsWith(before) || !url.endsWith(after)) continue;
    const storeId = url.slice(before.length, before.length + RESOURCE_ID_LENGTH);
    const head = isResourceId(storeId) ? readPlainHead(rawHeaders) : undefined;
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
