import createFindMyWay from 'find-my-way';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../domain/limits.js';
import { send, type Answer, type RawHeaders, type TakeForChunk } from './answer.js';
import { watchConnections, type Connections } from './connections.js';
import type { Cors } from './cors.js';
import type { DatabaseWatch } from './database-watch.js';
import { HttpRefusal, toErrorAnswer } from './errors.js';
import type { RateLimit } from './request-limits.js';
import { answerParserError, LONGEST_URL, refuseConnection } from './refuse-connection.js';
import { factsOf, type RequestFacts, type RequestLog } from './request-log.js';

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

export interface HttpService {
  readonly limits: Limits;
  readonly requestLog: RequestLog;
  readonly responders: readonly Responder[];
  readonly rate: RateLimit;
  /** Where pages of other origins may use the service. */
  readonly cors: Cors | undefined;
  readonly databaseWatch: DatabaseWatch;
  readonly mostConnections: number;
  /** Aborts when the service is about to end: clients are then told to take their next request elsewhere. */
  readonly closing: AbortSignal;
}

export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** Node itself answers a head that is too slow; only afterwards is a silent connection cut. */
const AFTER_NODE_MS = 5_000;

/** Node's server with our limits and our words: every answer that it gives by itself has the shape of all the others. */
export function createHttpServer(service: HttpService): HttpServer {
  const { limits } = service;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.requestSeconds * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 72_000,
    requireHostHeader: false,
  });
  // The size of the head bounds their number; past a count of its own Node would drop headers in silence.
  server.maxHeadersCount = 0;
  const stallMs = limits.requestSeconds * 1000 + AFTER_NODE_MS;
  const connections = watchConnections(server, {
    stallMs,
    mostOpen: service.mostConnections,
    onCut: service.requestLog.cutConnection,
  });
  const running = { ...service, connections, dispatch: createDispatch(service.responders) };
  server.on('request', (request, response) =>
    connections.inOrder(request, response, () => void answerRequest(running, request, response)),
  );
  server.on('clientError', (error, socket) => answerParserError(connections, error, socket as Socket));
  const methodless = { status: 405, detail: 'Method Not Allowed', headers: ['allow:'] };
  server.on('connect', (_request, socket) => refuseConnection(connections, socket as Socket, methodless));
  const unexpected = { status: 417, detail: 'Expectation Failed' };
  server.on('checkExpectation', ({ socket }: IncomingMessage) =>
    refuseConnection(connections, socket, unexpected),
  );
  return { server, connections };
}

interface RunningService extends HttpService {
  readonly connections: Connections;
  readonly dispatch: Dispatch;
}

/** The whole way of a request: its responder, its answer, or the answer to what went wrong. */
async function answerRequest(
  service: RunningService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.closed) return;
  const begun = performance.now();
  const facts = factsOf(request);
  const takeForChunk = () => service.connections.takeForChunk(facts.caller?.owner);
  response.once('close', () => {
    if (response.headersSent) service.requestLog.answered(response, facts, performance.now() - begun);
  });
  try {
    refuseHead(request);
    const answer =
      service.cors?.answerPreflight(request) ?? (await service.dispatch(request, response, facts));
    await send(response, answer, commonHeaders(service, request, facts), takeForChunk);
  } catch (error) {
    await sendError(service, response, error, facts, takeForChunk);
  }
  dropLateBody(request, service.limits.requestSeconds);
}

/** What every answer carries, whatever it is. */
function commonHeaders(service: HttpService, request: IncomingMessage, facts: RequestFacts): RawHeaders {
  const headers = ['x-request-id', facts.id];
  if (service.cors !== undefined) headers.push(...service.cors.headersFor(request));
  if (facts.caller !== undefined) headers.push(...service.rate.headersOf(facts.caller.keyId));
  if (service.closing.aborted) headers.push('connection', 'close');
  return headers;
}

/** The rest of a body that nobody wants is read and dropped, but not for ever. */
function dropLateBody(request: IncomingMessage, seconds: number): void {
  if (request.complete) return;
  // A request whose answer is out tells nothing more; the service need not wait for this to end.
  const late = setTimeout(() => request.socket.destroy(), seconds * 1000).unref();
  request.once('close', () => clearTimeout(late));
}

async function sendError(
  service: HttpService,
  response: ServerResponse,
  error: unknown,
  facts: RequestFacts,
  takeForChunk: TakeForChunk,
): Promise<void> {
  service.databaseWatch.note(error);
  if (response.headersSent) {
    // Only a cut can tell the client that what it has is not all.
    service.requestLog.brokeOff(facts, error);
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(error);
  service.requestLog.refused(response.req, facts, answer.status, error);
  const common = commonHeaders(service, response.req, facts);
  // A sender that has fallen silent must not keep the connection.
  const headers = answer.status === 408 ? [...common, 'connection', 'close'] : common;
  await send(response, answer, headers, takeForChunk);
}

const NOT_IN_A_HOST = /[\s/?#@\\]/;

/** What Node would refuse without a body, or not at all. */
function refuseHead({ url = '', rawHeaders, httpVersion }: IncomingMessage): void {
  if (url.length > LONGEST_URL) throw new HttpRefusal(414, 'URI Too Long');
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (hosts > 1 || NOT_IN_A_HOST.test(rawHeaders[at + 1] ?? ''))
      throw new HttpRefusal(400, 'The Host header is invalid');
  }
  if (hosts === 0 && httpVersion === '1.1') throw new HttpRefusal(400, 'The Host header is missing');
}

type Dispatch = (
  request: IncomingMessage,
  response: ServerResponse,
  facts: RequestFacts,
) => Answer | Promise<Answer>;

/** Hands a request to the responder of its method and path. */
function createDispatch(responders: readonly Responder[]): Dispatch {
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

  const find = (method: string, path: string) => {
    const found = methods.has(method) ? table.find(method as 'GET', toDecodable(path)) : null;
    // The table takes nothing for a parameter; a path that ends before its last one is another path.
    return found === null || Object.values(found.params).includes('') ? undefined : found;
  };
  const allowedAt = (path: string) => [...methods].filter((method) => find(method, path)).sort();

  return (request, response, facts) => {
    const { method = '', url = '/' } = request;
    const [path, search] = splitAddress(url);
    const found = find(method, path);
    if (found === undefined) return answerUnmatched(path, search, allowedAt);
    const responder = found.store as Responder;
    const params = found.params as MatchedRequest['params'];
    facts.route = responder.path;
    return responder.respond({ request, response, params, search, facts });
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
