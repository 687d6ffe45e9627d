import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Limits } from '../support/limits.js';
import { send, type RawHeaders } from './response.js';
import { limitConnections, MAX_URL_LENGTH, watchConnections } from './connections.js';
import type { Cors } from './cors.js';
import { HttpRefusal, toErrorResponse } from './errors.js';
import type { RateLimit } from './rate-limit.js';
import { createContext, type RequestContext, type RequestLog } from './request-log.js';
import { createDispatch, type Dispatch, type Responder } from './router.js';

export interface HttpService {
  readonly limits: Limits;
  readonly requestLog: RequestLog;
  readonly responders: readonly Responder[];
  readonly rate: RateLimit;
  /** undefined where pages of other origins may not use the service. */
  readonly cors: Cors | undefined;
  /** Called with every error of a request; returns the error to send to the client. */
  readonly explainError: (error: unknown) => Promise<unknown>;
  /** One for each file descriptor that the database and files can spare. */
  readonly mostConnections: number;
  /** Aborts when the service is about to end: responses then carry `connection: close`. */
  readonly closing: AbortSignal;
}

/** Node answers 408 to a slow head by itself; a silent connection is closed only after that. */
const AFTER_NODE_MS = 5_000;

const CLOSE_IDLE_EVERY_MS = 50;
const LAST_BODIES_MS = 1_000;
/** For answers that are still being made or sent. */
const LAST_ANSWERS_MS = 20_000;

/** Node's server with our limits; the errors that it answers by itself look like all others. */
export function createHttpServer(service: HttpService) {
  const { limits } = service;
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.requestSeconds * 1000,
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 72_000,
    requireHostHeader: false,
  });
  // The size of the head bounds their number; Node's own limit would drop headers silently.
  server.maxHeadersCount = 0;
  const stallMs = limits.requestSeconds * 1000 + AFTER_NODE_MS;
  const connections = watchConnections(server, stallMs);
  limitConnections(server, service.mostConnections, service.requestLog.cutConnection);
  const dispatch = createDispatch(service.responders);
  server.on('request', (request, response) =>
    connections.inOrder(request, response, () => void handleRequest(service, dispatch, request, response)),
  );
  return {
    server,
    /** Lets requests in progress end. After a second, `stopBodies` is to end the wait for bodies that are still arriving. */
    close: async (stopBodies: () => void): Promise<void> => {
      // A busy connection becomes idle after its response, and would be kept open for the next request.
      const idle = setInterval(connections.closeIdle, CLOSE_IDLE_EVERY_MS);
      const lastBodies = setTimeout(stopBodies, LAST_BODIES_MS);
      const late = setTimeout(connections.closeAll, LAST_ANSWERS_MS);
      const isClosed = once(server, 'close');
      server.close();
      await isClosed;
      clearInterval(idle);
      clearTimeout(lastBodies);
      clearTimeout(late);
    },
  };
}

/** Sends the response of the matching responder, or that of the error it ended with. */
async function handleRequest(
  service: HttpService,
  dispatch: Dispatch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.closed) return;
  const begun = performance.now();
  const context = createContext(request);
  response.once('close', () => {
    if (response.headersSent) service.requestLog.answered(response, context, performance.now() - begun);
  });
  try {
    refuseHead(request);
    const answer = service.cors?.respondToPreflight(request) ?? (await dispatch(request, response, context));
    await send(response, answer, commonHeaders(service, request, context));
  } catch (error) {
    await sendError(service, response, error, context);
  }
  dropLateBody(request, service.limits.requestSeconds);
}

function commonHeaders(service: HttpService, request: IncomingMessage, context: RequestContext): RawHeaders {
  const headers = ['x-request-id', context.id];
  if (service.cors !== undefined) headers.push(...service.cors.headersFor(request));
  if (context.keyId !== undefined) headers.push(...service.rate.headersOf(context.keyId));
  if (service.closing.aborted) headers.push('connection', 'close');
  return headers;
}

/** The rest of an unwanted body is read and dropped, for a limited time. */
function dropLateBody(request: IncomingMessage, seconds: number): void {
  if (request.complete) return;
  // The response is sent: the service need not wait for this to end.
  const late = setTimeout(() => request.socket.destroy(), seconds * 1000).unref();
  request.once('close', () => clearTimeout(late));
}

async function sendError(
  service: HttpService,
  response: ServerResponse,
  thrown: unknown,
  context: RequestContext,
): Promise<void> {
  const error = await service.explainError(thrown);
  if (response.headersSent) {
    // Closing the connection is the only way to tell the client that the response is incomplete.
    service.requestLog.brokeOff(context, error);
    response.destroy();
    return;
  }
  const answer = toErrorResponse(error);
  service.requestLog.refused(response.req, context, answer.status, error);
  const common = commonHeaders(service, response.req, context);
  // A client that stopped sending must not keep the connection.
  const headers = answer.status === 408 ? [...common, 'connection', 'close'] : common;
  await send(response, answer, headers);
}

const NOT_IN_A_HOST = /[\s/?#@\\]/;

/** Refuses what Node would accept, or refuse without a body. */
function refuseHead({ url = '', rawHeaders, httpVersion }: IncomingMessage): void {
  if (url.length > MAX_URL_LENGTH) throw new HttpRefusal(414, 'URI Too Long');
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (hosts > 1 || NOT_IN_A_HOST.test(rawHeaders[i + 1] ?? ''))
      throw new HttpRefusal(400, 'The Host header is invalid');
  }
  if (hosts === 0 && httpVersion === '1.1') throw new HttpRefusal(400, 'The Host header is missing');
}
