import type { IncomingMessage } from 'node:http';
import type { Response, RawHeaders } from './response.js';

export type Cors = ReturnType<typeof createCors>;

const PREFLIGHT: RawHeaders = [
  'access-control-allow-methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers',
  'x-api-key, content-type, if-match, if-none-match, idempotency-key, last-event-id, x-request-id, traceparent, ' +
    // What a client of the Model Context Protocol sends.
    'authorization, mcp-protocol-version, mcp-method, mcp-name',
  'access-control-max-age',
  '7200',
];
const EXPOSED = 'etag, retry-after, x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset';

/** Pages of these origins may call the service from a browser with a key; cookies are never sent. */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  const headersFor = ({ headers: { origin } }: IncomingMessage): RawHeaders =>
    origin === undefined || !allowed.has(origin)
      ? []
      : ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED, 'vary', 'Origin'];
  return {
    headersFor,
    /** The response to a preflight request of an allowed origin. */
    respondToPreflight: (request: IncomingMessage): Response | undefined =>
      request.method === 'OPTIONS' &&
      'access-control-request-method' in request.headers &&
      headersFor(request).length > 0
        ? { status: 204, headers: PREFLIGHT }
        : undefined,
  };
}
