import createFindMyWay from 'find-my-way';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpRefusal } from './errors.js';
import type { RequestContext } from './request-log.js';
import type { Response } from './response.js';

export interface MatchedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** What follows the question mark, as it was sent. */
  readonly search: string;
  readonly context: RequestContext;
}

/** One method of one path; HEAD comes with GET. */
export interface Responder {
  readonly method: string;
  /** With `:name` for each parameter. */
  readonly path: string;
  readonly respond: (matched: MatchedRequest) => Response | Promise<Response>;
}

export type Dispatch = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Response | Promise<Response>;

export function createDispatch(responders: readonly Responder[]): Dispatch {
  // Longer URLs than the limit never get this far.
  const table = createFindMyWay({ maxParamLength: 1024 * 1024 });
  const methods = new Set<string>();
  for (const responder of responders) {
    const answered = responder.method === 'GET' ? ['GET', 'HEAD'] : [responder.method];
    for (const method of answered) {
      methods.add(method);
      table.on(method as 'GET', responder.path, () => undefined, responder);
    }
  }

  const find = (method: string, path: string) => {
    const found = methods.has(method) ? table.find(method as 'GET', toDecodable(path)) : null;
    // The table accepts an empty parameter; a path that ends before its last one is another path.
    return found === null || Object.values(found.params).includes('') ? undefined : found;
  };
  const allowedAt = (path: string) => [...methods].filter((method) => find(method, path)).sort();

  return (request, response, context) => {
    const { method = '', url = '/' } = request;
    const [path, search] = splitUrl(url);
    const found = find(method, path);
    if (found === undefined) return respondUnmatched(path, search, allowedAt);
    const responder = found.store as Responder;
    const params = found.params as MatchedRequest['params'];
    context.route = responder.path;
    return responder.respond({ request, response, params, search, context });
  };
}

/** 405 for another method, 307 where only the slash at the end is wrong, else 404. None of these needs a key. */
function respondUnmatched(path: string, search: string, allowedAt: (path: string) => string[]): Response {
  const allowed = allowedAt(path);
  if (allowed.length > 0) throw new HttpRefusal(405, 'Method Not Allowed', ['allow', allowed.join(', ')]);
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  // A path that begins with two slashes would read as another host.
  if (path.startsWith('//') || allowedAt(other).length === 0) throw new HttpRefusal(404, 'Not Found');
  return { status: 307, headers: ['location', search === '' ? other : `${other}?${search}`] };
}

/** Path and query; a request to a proxy names the whole URL. */
function splitUrl(url: string): [path: string, search: string] {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const index = local.indexOf('?');
  return index < 0 ? [local, ''] : [local.slice(0, index), local.slice(index + 1)];
}

const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi;

/** Bytes that are no UTF-8 become U+FFFD, which no resource has in its id; a `%` that begins no escape stands for itself. */
function toDecodable(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(ESCAPES, (run) =>
    run === '%' ? '%25' : encodeURIComponent(Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
  );
}
