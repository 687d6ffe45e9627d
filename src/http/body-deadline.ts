import type { FastifyInstance } from 'fastify';
import { answerInTurn } from './raw-answers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation reads a body of any length and watches for idleness itself. */
    isStreamed?: boolean;
  }
}

/**
 * A body must arrive within the limit, whether or not anyone reads it. Node's own requestTimeout would hold for
 * the streamed import too, which may take hours.
 */
export function enforceBodyDeadline(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || (raw.headers['content-length'] ?? '0') !== '0';
    if (!hasBody || request.routeOptions.config.isStreamed === true) return done();
    const timer = setTimeout(() => {
      if (raw.complete) return;
      if (!reply.raw.headersSent)
        answerInTurn(raw.socket, { status: 408, detail: 'Request Timeout' }, reply.raw);
      else raw.socket.destroy();
    }, seconds * 1000);
    raw.once('close', () => clearTimeout(timer));
    done();
  });
}
