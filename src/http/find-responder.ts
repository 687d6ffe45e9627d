import createFindMyWay from 'find-my-way';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import { HttpRefusal } from './errors.js';
import type { RequestFacts } from './request-log.js';

/** A request whose path is known. */
export interface MatchedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** What follows the question mark, as it was sent. */
  readonly search: string;
  readonly facts: RequestFacts;
}

/** One method of one path; HEAD comes with GET. */
export interface Responder {
  readonly method: string;
  /** With `:name` for each parameter. */
  readonly path: string;
  readonly respond: (matched: MatchedRequest) => Answer | Promise<Answer>;
}

interface Match {
  readonly responder: Responder;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
}

/** Finds the responder for a method and an address; there is one, too, for those that nobody takes. */
export type FindResponder = (method: string, url: string) => Match;

export function createResponderFinder(responders: readonly Responder[]): FindResponder {
  // Longer addresses than the limit never get this far.
  const table = createFindMyWay({ maxParamLength: 1024 * 1024 });
  const methods = new Set<string>();
  for (const responder of responders) {
    const answered = responder.method === 'GET' ? ['GET', 'HEAD'] : [responder.method];
    for (const method of answered) {
      methods.add(method);
      table.on(method as 'GET', responder.path, () => undefined, responder);
    }
  }

  const look = (method: string, path: string) => {
    const found = methods.has(method) ? table.find(method as 'GET', toDecodable(path)) : null;
    // The table takes nothing for a parameter; a path that ends before its last one is another path.
    return found === null || Object.values(found.params).includes('') ? undefined : found;
  };
  const allowedAt = (path: string) => [...methods].filter((method) => look(method, path)).sort();

  return (method, url) => {
    const [path, search] = splitAddress(url);
    const found = look(method, path);
    if (found !== undefined)
      return { responder: found.store as Responder, params: found.params as Match['params'], search };
    const respond = () => answerUnmatched(path, search, allowedAt);
    return { responder: { method, path: 'unmatched', respond }, params: {}, search };
  };
}

/** The slash at the end wrong is 307 to the right path, another method 405, the rest 404. None of these needs a key. */
function answerUnmatched(path: string, search: string, allowedAt: (path: string) => string[]): Answer {
  const allowed = allowedAt(path);
  if (allowed.length > 0) throw new HttpRefusal(405, 'Method Not Allowed', ['allow', allowed.join(', ')]);
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  // A path that begins with two slashes would read as another host.
  if (path.startsWith('//') || allowedAt(other).length === 0) throw new HttpRefusal(404, 'Not Found');
  return { status: 307, headers: ['location', search === '' ? other : `${other}?${search}`] };
}

/** Path and query; a request through a proxy may name the whole address. */
function splitAddress(url: string): [path: string, search: string] {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const at = local.indexOf('?');
  return at < 0 ? [local, ''] : [local.slice(0, at), local.slice(at + 1)];
}

const ESCAPES = /(?:%[0-9a-f]{2})+|%/gi;

/** Bytes that are no UTF-8 become U+FFFD, which no resource has in its id; a `%` that begins no escape stands for itself. */
function toDecodable(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(ESCAPES, (run) =>
    run === '%' ? '%25' : encodeURIComponent(Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
  );
}
