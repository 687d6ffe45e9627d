import { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { toErrorResponse, HttpRefusal } from './errors.js';
import { createContext } from './request-log.js';
import type { Response } from './response.js';
import type { HttpService } from './server.js';
import { createDispatch, type MatchedRequest } from './router.js';

/** A request that the service makes to itself for a client. */
export interface InnerRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

interface InnerResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Runs an operation for the client of `outer`, with everything that a request of its own would meet on its way. */
export type RunInner = (outer: MatchedRequest, inner: InnerRequest) => Promise<InnerResponse>;

/** What of the client's request still holds for the inner one. */
const KEPT_HEADERS = ['x-forwarded-for', 'traceparent'];
/** A response is in memory as a whole. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Bytes of JSON that are kept parsed; as objects they take about six times as much. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Requests to these responders within the process: authenticated, limited, logged and counted like those from outside. */
export function createInnerCalls({
  responders,
  requestLog,
  explainError,
}: Pick<HttpService, 'responders' | 'requestLog' | 'explainError'>): RunInner {
  const dispatch = createDispatch(responders);
  // By ETag, which names the store and the exact bytes. Without it, each call that reads the menu would parse it again.
  const kept = new LRUCache<string, object>({ maxSize: KEPT_BYTES });
  const responseOf = async (
    { status, headers, body = '' }: Response,
    route: string,
  ): Promise<InnerResponse> => {
    const tag = headers[headers.indexOf('etag') + 1] ?? '';
    const name = headers.includes('etag') && tag.startsWith('"') ? `${route} ${tag}` : undefined;
    const known = name === undefined ? undefined : kept.get(name);
    if (known !== undefined) return { status, body: known };
    const text = await readAll(body);
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    if (name !== undefined && typeof value === 'object' && value !== null)
      kept.set(name, value, { size: text.length });
    return { status, body: value };
  };
  return async (outer, inner) => {
    const begun = performance.now();
    const request = toRequest(outer, inner);
    const response = new ServerResponse(request);
    const context = createContext(request, 'mcp');
    // Nothing is sent, so nothing else ends it: permits are held, and work goes on, until this is called.
    const close = () => {
      outer.response.off('close', close);
      Object.defineProperty(response, 'closed', { value: true });
      response.emit('close');
    };
    if (outer.response.closed) close();
    else outer.response.once('close', close);
    try {
      const answer = await responseOf(await dispatch(request, response, context), context.route);
      response.statusCode = answer.status;
      return answer;
    } catch (thrown) {
      const error = await explainError(thrown);
      const answer = await responseOf(toErrorResponse(error), context.route);
      response.statusCode = answer.status;
      requestLog.refused(request, context, answer.status, error);
      return answer;
    } finally {
      requestLog.answered(response, context, performance.now() - begun);
      if (!response.closed) close();
    }
  };
}

function toRequest(outer: MatchedRequest, { method, url, headers, body }: InnerRequest): IncomingMessage {
  const request = new IncomingMessage(outer.request.socket);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const all = Object.entries({
    'x-request-id': outer.context.id,
    ...Object.fromEntries(KEPT_HEADERS.map((name) => [name, outer.request.headers[name]])),
    ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...headers,
  }).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  request.method = method;
  request.url = url;
  request.headers = Object.fromEntries(all);
  request.headersDistinct = Object.fromEntries(all.map(([name, value]) => [name, [value]]));
  request.complete = true;
  if (bytes !== undefined) request.push(bytes);
  request.push(null);
  return request;
}

async function readAll(body: NonNullable<Response['body']>): Promise<string> {
  if (typeof body === 'string') return body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > MOST_BYTES) throw new HttpRefusal(413, `The response is larger than ${MOST_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
