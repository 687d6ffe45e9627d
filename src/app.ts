import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { v1Operations } from './api/v1/index.js';
import type { Database } from './db/database.js';
import type { Limits } from './domain/limits.js';
import { createKeyCheck } from './http/authentication.js';
import { enforceBodyDeadline } from './http/body-deadline.js';
import { buildServer } from './http/build-server.js';
import { registerDocsPages } from './http/docs-page.js';
import { openExpressLane } from './http/express-lane.js';
import { observeService } from './http/metrics.js';
import { describeSurface } from './http/openapi.js';
import { createRateLimit } from './http/rate-limit.js';
import { registerOperations } from './http/register-operations.js';
import { createRequestTimes, observeRequests } from './http/request-times.js';
import { registerSystemRoutes } from './http/system-routes.js';
import { manageOperations } from './manage/index.js';
import { createMenus } from './menu-rendering/menus.js';
import { docsPages, manageInfo, v1Info } from './surfaces.js';
import { version } from './version.js';

export interface AppOptions {
  readonly db: Database;
  readonly limits: Limits;
  readonly log: FastifyBaseLogger;
  readonly operatorKey: string | undefined;
  readonly isReady: () => boolean;
  readonly metrics: Registry;
  /** The text of /metrics; in a cluster, of all its processes together. */
  readonly readMetrics: () => Promise<string>;
}

/** The whole service but for listening: plumbing, then the two surfaces. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { db, limits, log, isReady } = options;
  const app = buildServer(limits, log);
  const menus = createMenus(db, limits);
  app.addHook('onClose', () => menus.close());
  observeService(options.metrics, db, () => menus.cacheBytes());
  const times = createRequestTimes(options.metrics);
  observeRequests(app, times);
  const takeToken = createRateLimit(limits.requestsPerSecond, limits.requestBurst);

  const v1 = v1Operations({ db, menus, limits });
  const manage = manageOperations({ db, menus, limits, version });
  enforceBodyDeadline(app, limits.requestSeconds);

  const authenticate = openExpressLane(app, v1, {
    checkKey: createKeyCheck(db, options.operatorKey),
    takeToken,
    isReady,
    times,
  });
  registerOperations(app, [...v1, ...manage], { authenticate, takeToken, limits, isReady });
  registerSystemRoutes(app, {
    db,
    authenticate,
    isReady,
    readMetrics: options.readMetrics,
    documents: {
      '/openapi.json': describeSurface(v1Info, v1),
      '/manage/openapi.json': describeSurface(manageInfo, manage),
    },
  });
  registerDocsPages(app, docsPages);
  return app;
}
