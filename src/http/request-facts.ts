import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What is told about a request in log lines, metrics and headers; nothing of it is a secret or a person's. */
export interface RequestFacts {
  readonly id: string;
  /** Of the W3C trace that the request belongs to. */
  readonly traceId: string | undefined;
  route: string;
  /** Known once the key has been checked. */
  keyId: string | undefined;
}

export function factsOf({ headers }: IncomingMessage): RequestFacts {
  return {
    id: requestId(headers['x-request-id']),
    traceId: traceIdOf(headers['traceparent']),
    route: 'unmatched',
    keyId: undefined,
  };
}

const CALLERS_OWN_ID = /^[\w.:-]{1,128}$/;

/** The caller's own id where it has sent a usable one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && CALLERS_OWN_ID.test(given) ? given : randomUUID();
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

function traceIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' ? TRACEPARENT.exec(given)?.[1] : undefined;
}

/** As members of a log line. */
export function toLogMembers({ id, traceId, route, keyId }: RequestFacts) {
  return {
    reqId: id,
    route,
    ...(keyId === undefined ? {} : { keyId }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
