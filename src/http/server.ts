import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Limits } from '../domain/limits.js';
import { send, type RawHeaders } from './answer.js';
import { watchConnections, type Connections } from './connections.js';
import type { Cors } from './cors.js';
import type { DiskWatch } from './disk-watch.js';
import { HttpRefusal, toErrorAnswer } from './errors.js';
import type { RequestTimes } from './metrics.js';
import type { RateLimit } from './rate-limit.js';
import { answerParserError, LONGEST_URL, refuseConnection } from './refuse-connection.js';
import { factsOf, toLogMembers, type RequestFacts } from './request-facts.js';
import type { FindEndpoint } from './router.js';

export interface HttpService {
  readonly limits: Limits;
  readonly log: Logger;
  readonly times: RequestTimes;
  readonly findEndpoint: FindEndpoint;
  readonly rate: RateLimit;
  readonly cors: Cors;
  readonly disk: DiskWatch;
  /** Whether requests that went well are logged too. */
  readonly logsAccess: boolean;
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
  const facts = factsOf(request);
  response.once('close', () => noteAnswer(service, response, facts, performance.now() - begun));
  try {
    refuseHead(request);
    const answer =
      service.cors.answerPreflight(request) ?? (await findAnswer(service, request, response, facts));
    await send(response, answer, commonHeaders(service, request, facts));
  } catch (error) {
    await sendError(service, response, error, facts);
  }
  dropLateBody(request, service.limits.requestSeconds);
}

function findAnswer(
  { findEndpoint }: HttpService,
  request: IncomingMessage,
  response: ServerResponse,
  facts: RequestFacts,
) {
  const { method = '', url = '/' } = request;
  const { endpoint, params, search } = findEndpoint(method, url);
  facts.route = endpoint.path;
  return endpoint.respond({ request, response, params, search, facts });
}

/** What every answer carries, whatever it is. */
function commonHeaders(service: HttpService, request: IncomingMessage, facts: RequestFacts): RawHeaders {
  const headers = ['x-request-id', facts.id, ...service.cors.headersFor(request)];
  if (facts.keyId !== undefined) headers.push(...service.rate.headersOf(facts.keyId));
  if (service.isClosing()) headers.push('connection', 'close');
  return headers;
}

function noteAnswer(service: HttpService, response: ServerResponse, facts: RequestFacts, ms: number): void {
  if (!response.headersSent) return;
  const { statusCode: status } = response;
  const { method = '' } = response.req;
  service.times.of(method, facts.route)(status, ms);
  if (!service.logsAccess) return;
  const what = { method, status, ms: Math.round(ms), ...toLogMembers(facts) };
  service.log.info(what, `${method} ${facts.route} ${status} ${what.ms} ms`);
}

/** The rest of a body that nobody wants is read and dropped, but not for ever. */
function dropLateBody(request: IncomingMessage, seconds: number): void {
  if (request.complete) return;
  const late = setTimeout(() => request.socket.destroy(), seconds * 1000);
  request.once('close', () => clearTimeout(late));
}

async function sendError(
  service: HttpService,
  response: ServerResponse,
  error: unknown,
  facts: RequestFacts,
): Promise<void> {
  const { log } = service;
  service.disk.note(error);
  if (response.headersSent) {
    // Only a cut can tell the client that what it has is not all.
    log.error({ err: error, ...toLogMembers(facts) }, 'An answer broke off');
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(error);
  const what = { ...toLogMembers(facts), status: answer.status };
  if (answer.status === 500) log.error({ err: error, ...what }, 'request failed');
  else
    log.debug(
      what,
      `request refused: ${answer.status} ${response.req.method ?? ''} ${facts.route} ${facts.id}`,
    );
  const common = commonHeaders(service, response.req, facts);
  // A sender that has fallen silent must not keep the connection.
  await send(response, answer, answer.status === 408 ? [...common, 'connection', 'close'] : common);
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
