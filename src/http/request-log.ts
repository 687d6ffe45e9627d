import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { notTooOften } from '../domain/not-too-often.js';

/** What becomes known of a request on its way, for log lines, metrics and headers; nothing of it is a secret or a person's. */
export interface RequestFacts {
  readonly id: string;
  /** Of the W3C trace that the request belongs to. */
  readonly traceId: string | undefined;
  route: string;
  /** Known once the key has been checked. */
  caller: KnownCaller | undefined;
}

interface KnownCaller {
  readonly keyId: string;
  /** The merchant, or the operator's key, whose requests take turns with those of others. */
  readonly owner: string;
}

export function factsOf({ headers }: IncomingMessage): RequestFacts {
  return {
    id: requestId(headers['x-request-id']),
    traceId: traceIdOf(headers['traceparent']),
    route: 'unmatched',
    caller: undefined,
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

/** What is told of requests: lines in the log, and how long they took, for Prometheus. */
export interface RequestLog {
  /** The answer is out. */
  readonly answered: (response: ServerResponse, facts: RequestFacts, ms: number) => void;
  readonly refused: (request: IncomingMessage, facts: RequestFacts, status: number, error: unknown) => void;
  /** The answer had begun and could not be brought to its end. */
  readonly brokeOff: (facts: RequestFacts, error: unknown) => void;
  /** A connection was cut because so many are open; told once a minute. */
  readonly cutConnection: (open: number) => void;
}

export interface RequestLogOptions {
  readonly log: Logger;
  readonly metrics: Registry;
  /** Whether requests that went well are logged too. */
  readonly logsAccess: boolean;
}

export function createRequestLog({ log, metrics, logsAccess }: RequestLogOptions): RequestLog {
  const times = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  });
  const cutConnection = notTooOften((open: number) =>
    log.warn(
      `${open} connections are open, and the limit on open files has no room for more: new ones are cut. ` +
        'Raise it (ulimit -n, or LimitNOFILE of the systemd unit), or have a proxy in front share connections.',
    ),
  );
  return {
    answered({ req: { method = '' }, statusCode: status }, facts, ms) {
      times.observe({ method, route: facts.route, status }, ms / 1000);
      if (!logsAccess) return;
      const what = { method, status, ms: Math.round(ms), ...toLogMembers(facts) };
      log.info(what, `${method} ${facts.route} ${status} ${what.ms} ms`);
    },
    refused({ method = '' }, facts, status, error) {
      const what = { ...toLogMembers(facts), status };
      if (status === 500) log.error({ err: error, ...what }, 'request failed');
      else log.debug(what, `request refused: ${status} ${method} ${facts.route} ${facts.id}`);
    },
    brokeOff: (facts, error) => log.error({ err: error, ...toLogMembers(facts) }, 'An answer broke off'),
    cutConnection,
  };
}

function toLogMembers({ id, traceId, route, caller }: RequestFacts) {
  return {
    reqId: id,
    route,
    ...(caller === undefined ? {} : { keyId: caller.keyId }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
