import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../domain/limits.js';
import { toDecodableUrl } from './decodable-url.js';
import { HttpRefusal, toErrorAnswer } from './error-table.js';
import { isPlainHost } from './plain-head.js';
import { answerInTurn, answerParserError, LONGEST_URL } from './raw-answers.js';
import { requestId } from './request-id.js';
import { answerStrayRequests } from './stray-requests.js';

/** Fastify with our limits and our words: every answer that it gives by itself has the shape of all the others. */
export function buildServer(limits: Limits, log: FastifyBaseLogger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.requestSeconds * 1000,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url }) => toDecodableUrl(url ?? '/'),
    // Longer addresses never get this far as a parameter: the hook below refuses them.
    routerOptions: { maxParamLength: 1024 * 1024 },
    clientErrorHandler: answerParserError,
  });

  // Bodies, and their type, are a matter of the operations, after everything else about a request has been checked.
  for (const method of app.supportedMethods)
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setReplySerializer((payload) => JSON.stringify(payload));
  app.decorateRequest('call', undefined);
  // A logger per request would cost every one of them what only a failing one needs: its id, which is logged below.
  app.setChildLoggerFactory((logger) => logger);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(refusalOfHead(request.raw));
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = toErrorAnswer(error);
    const what = { reqId: request.id, route: request.routeOptions.url, status: answer.status };
    if (answer.status === 500) request.log.error({ err: error, ...what }, 'request failed');
    else
      request.log.debug(
        what,
        `request refused: ${what.status} ${request.method} ${what.route ?? ''} ${what.reqId}`,
      );
    return reply
      .code(answer.status)
      .headers({ ...answer.headers })
      .send(answer.body);
  });
  // The size of the head bounds their number; past a count of its own Node would drop headers in silence.
  app.server.maxHeadersCount = 0;
  app.server.on('connect', (_request, socket) =>
    answerInTurn(socket as Socket, { status: 405, detail: 'Method Not Allowed', headers: ['allow:'] }),
  );
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answerInTurn(request.socket, { status: 417, detail: 'Expectation Failed' }, response),
  );
  answerStrayRequests(app);
  return app;
}

/** What Node would refuse without a body, or not at all. */
function refusalOfHead({ url = '', rawHeaders, httpVersion }: IncomingMessage): HttpRefusal | undefined {
  if (url.length > LONGEST_URL) return new HttpRefusal(414, 'URI Too Long');
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  if (hosts.length === 0 && httpVersion === '1.1') return new HttpRefusal(400, 'The Host header is missing');
  if (hosts.length > 1 || !hosts.every(isPlainHost))
    return new HttpRefusal(400, 'The Host header is invalid');
  return undefined;
}
