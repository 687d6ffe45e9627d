import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.js';
import { createSchemaCheck } from '../db/migrate.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { requirePermission } from '../domain/key/principal.js';
import { isLoopback } from '../domain/loopback.js';
import type { Authenticate } from './authentication.js';

export interface SystemRoutes {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly isReady: () => boolean;
  /** Prometheus text; in a cluster, that of all its processes together. */
  readonly readMetrics: () => Promise<string>;
  readonly documents: Readonly<Record<string, unknown>>;
}

/** What hosts and tools ask of the process itself; only the metrics want a key, and only from afar. */
export function registerSystemRoutes(app: FastifyInstance, system: SystemRoutes): void {
  const isSchemaCurrent = createSchemaCheck(system.db);
  app.get('/healthz', { exposeHeadRoute: true }, () => ({ status: 'ok' }));

  app.get('/readyz', { exposeHeadRoute: true }, async () => {
    if (!system.isReady() || !(await isSchemaCurrent())) throw new DatabaseUnavailable();
    return { status: 'ready' };
  });

  app.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request)) {
      const { principal } = await system.authenticate(request.raw, undefined);
      requirePermission(principal, 'operator');
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await system.readMetrics());
  });

  for (const [path, document] of Object.entries(system.documents)) {
    const text = JSON.stringify(document);
    app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  }
}

/** A request that a proxy on this machine passes on comes from somewhere else. */
function isFromThisMachine(request: FastifyRequest): boolean {
  const isForwarded = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers;
  return !isForwarded && isLoopback(request.raw.socket.remoteAddress ?? '');
}
