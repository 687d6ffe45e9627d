import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Limits } from '../domain/limits.js';
import type { RawHeaders } from './answer.js';
import { watchConnections, type Connections } from './connections.js';
import { HttpRefusal, toErrorAnswer } from './errors.js';
import type { RequestTimes } from './metrics.js';
import { answerParserError, LONGEST_URL, refuseConnection } from './refuse-connection.js';
import type { FindEndpoint } from './router.js';
import { send } from './send.js';

export interface HttpService {
  readonly limits: Limits;
  readonly log: Logger;
  readonly times: RequestTimes;
  readonly findEndpoint: FindEndpoint;
  /** The service is about to end: clients are told to take their next request elsewhere. */
  readonly isClosing: () => boolean;
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
  const connections = watchConnections(server, limits.requestSeconds * 1000 + AFTER_NODE_MS);
  server.on('request', (request, response) =>
    connections.enter(request, response, () => void answerRequest(service, request, response)),
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

/** The whole way of a request: its endpoint, its answer, or the answer to what went wrong. */
async function answerRequest(
  service: HttpService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const begun = performance.now();
  const { method = '', url = '/' } = request;
  const id = requestId(request.headers['x-request-id']);
  const common = service.isClosing() ? ['x-request-id', id, 'connection', 'close'] : ['x-request-id', id];
  let route = 'unmatched';
  response.once('close', () => {
    if (response.headersSent) service.times.of(method, route)(response.statusCode, performance.now() - begun);
  });
  try {
    refuseHead(request);
    const { endpoint, params, search } = service.findEndpoint(method, url);
    route = endpoint.path;
    await send(response, await endpoint.respond({ request, response, params, search }), common);
  } catch (error) {
    await sendError(service, response, error, { id, route, common });
  }
  dropLateBody(request, service.limits.requestSeconds);
}

/** The rest of a body that nobody wants is read and dropped, but not for ever. */
function dropLateBody(request: IncomingMessage, seconds: number): void {
  if (request.complete) return;
  const late = setTimeout(() => request.socket.destroy(), seconds * 1000);
  request.once('close', () => clearTimeout(late));
}

interface Failed {
  readonly id: string;
  readonly route: string;
  readonly common: RawHeaders;
}

async function sendError(
  { log }: HttpService,
  response: ServerResponse,
  error: unknown,
  { id, route, common }: Failed,
): Promise<void> {
  if (response.headersSent) {
    // Only a cut can tell the client that what it has is not all.
    log.error({ err: error, reqId: id, route }, 'An answer broke off');
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(error);
  const what = { reqId: id, route, status: answer.status };
  if (answer.status === 500) log.error({ err: error, ...what }, 'request failed');
  else log.debug(what, `request refused: ${what.status} ${response.req.method ?? ''} ${route} ${id}`);
  // A sender that has fallen silent must not keep the connection.
  await send(response, answer, answer.status === 408 ? [...common, 'connection', 'close'] : common);
}

const CALLERS_OWN_ID = /^[\w.:-]{1,128}$/;

/** The caller's own id where it has sent a usable one. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && CALLERS_OWN_ID.test(given) ? given : randomUUID();
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
