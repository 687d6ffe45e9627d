import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Via } from '../support/actor.js';
import { throttle } from '../support/throttle.js';

/** What log lines, metrics and headers need of a request; it holds no secrets and no personal data. */
export interface RequestContext {
  readonly id: string;
  /** Of the W3C trace that the request belongs to. */
  readonly traceId: string | undefined;
  route: string;
  via: Via;
  /** Known once the key has been checked. */
  keyId: string | undefined;
}

export function createContext({ headers }: IncomingMessage, via: Via = 'api'): RequestContext {
  return {
    id: requestId(headers['x-request-id']),
    traceId: traceIdOf(headers['traceparent']),
    route: 'unmatched',
    via,
    keyId: undefined,
  };
}

const CALLERS_OWN_ID = /^[\w.:-]{1,128}$/;

/** The id that the caller sent, if it is usable. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && CALLERS_OWN_ID.test(given) ? given : randomUUID();
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

function traceIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' ? TRACEPARENT.exec(given)?.[1] : undefined;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

export interface RequestLogOptions {
  readonly log: Logger;
  readonly metrics: Registry;
  /** Whether successful requests are logged too. */
  readonly logsAccess: boolean;
}

export function createRequestLog({ log, metrics, logsAccess }: RequestLogOptions) {
  const times = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  });
  /** A connection was closed because too many are open; logged once a minute. */
  const cutConnection = throttle((open: number) =>
    log.warn(
      `${open} connections are open and the limit on open files is reached: new connections are dropped. ` +
        'Raise it (ulimit -n, or LimitNOFILE in the systemd unit), or put a proxy in front that shares connections.',
    ),
  );
  return {
    answered(
      { req: { method = '' }, statusCode: status }: ServerResponse,
      context: RequestContext,
      ms: number,
    ) {
      times.observe({ method, route: context.route, status }, ms / 1000);
      if (!logsAccess) return;
      const what = { method, status, ms: Math.round(ms), ...toLogMembers(context) };
      log.info(what, `${method} ${context.route} ${status} ${what.ms} ms`);
    },
    refused({ method = '' }: IncomingMessage, context: RequestContext, status: number, error: unknown) {
      const what = { ...toLogMembers(context), status };
      if (status === 500) log.error({ err: error, ...what }, 'request failed');
      else log.debug(what, `request refused: ${status} ${method} ${context.route} ${context.id}`);
    },
    /** The response failed after its head was sent. */
    brokeOff: (context: RequestContext, error: unknown) =>
      log.error({ err: error, ...toLogMembers(context) }, 'A response failed midway'),
    cutConnection,
  };
}

function toLogMembers({ id, traceId, via, route, keyId }: RequestContext) {
  return {
    reqId: id,
    route,
    via: via === 'api' ? undefined : via,
    keyId,
    traceId,
  };
}
