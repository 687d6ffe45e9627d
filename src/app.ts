import { once, setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { v1Routes } from './api/v1/index.js';
import { consoleResponders } from './console/index.js';
import type { Database } from './db/database.js';
import type { Limits } from './domain/limits.js';
import { createReadAhead } from './http/read-ahead.js';
import { toResponders } from './http/request-checks.js';
import { byKeyHeader, createKeyCheck, openKeyChecks } from './http/authentication.js';
import { createCors } from './http/cors.js';
import { watchDatabase } from './http/database-watch.js';
import { docsResponders } from './http/docs.js';
import { healthResponders, observeFreeSpace, observeService, type Readiness } from './http/health.js';
import { createListTags } from './http/list-tags.js';
import { describeSurface } from './http/openapi.js';
import { createRequestLog } from './http/request-log.js';
import { createRateLimit, createRequestSlots, createStreamSlots } from './http/request-limits.js';
import { createHttpServer } from './http/http-server.js';
import { createRefusalDelay, refuseAtOnce, type DelayRefusal } from './http/delay-wrong-keys.js';
import { manageRoutes } from './manage/index.js';
import type { WebhookTools } from './manage/webhooks.js';
import { createMenus } from './menu-rendering/menus.js';
import { createEventWatch } from './operations/events/event-watch.js';
import { createPublicationQueue } from './operations/publish-menu.js';
import { docsPages, manageInfo, v1Info } from './surface-info.js';
import { version } from './version.js';

export interface AppOptions {
  readonly db: Database;
  readonly limits: Limits;
  readonly log: Logger;
  readonly operatorKey: string | undefined;
  /** The folder of the bundled database, whose free space is among the metrics. */
  readonly dataFolder: string | undefined;
  /** Opens /metrics beside the operator keys. */
  readonly metricsToken: string | undefined;
  /** Origins whose pages may use the service from a browser. */
  readonly corsOrigins: readonly string[];
  readonly logsAccess: boolean;
  /** Any number unless told. */
  readonly mostConnections?: number;
  readonly readiness: Readiness;
  readonly webhooks: WebhookTools;
  readonly metrics: Registry;
  /** The text of /metrics; in a cluster, of all its processes together. */
  readonly readMetrics: () => Promise<string>;
}

export interface App {
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Goes on answering, but is no longer ready, and tells clients to take their next request elsewhere. */
  announceEnd(): void;
  /** Answers what has begun, refuses what has not, and ends. */
  close(): Promise<void>;
}

const LONGEST_ANSWER_MS = 30_000;
/** For bodies that are still on their way when the service ends. */
const LAST_BODIES_MS = 1_000;
const CLOSE_IDLE_EVERY_MS = 50;
/** Connections that wait to be accepted; under a burst Node's 511 would let some wait for seconds. */
const BACKLOG = 4096;

/** The whole service but for its start: plumbing, the two surfaces, the docs and the console. */
export function buildApp(options: AppOptions): App {
  const { db, limits, log, readiness } = options;
  const closing = new AbortController();
  const tooLate = new AbortController();
  // Each body on its way listens.
  setMaxListeners(0, tooLate.signal);
  const menus = createMenus(db, limits);
  observeService(options.metrics, db, () => menus.cacheBytes());
  if (options.dataFolder !== undefined) observeFreeSpace(options.metrics, options.dataFolder);

  const watch = createEventWatch(db);
  const context = {
    db,
    menus,
    limits,
    queuePublication: createPublicationQueue(),
    streamWithSlot: createStreamSlots(),
    listTags: createListTags(db, version),
  };
  const v1 = v1Routes(context);
  const manage = manageRoutes({ ...context, watch, version, log, webhooks: options.webhooks });
  const keyChecks = openKeyChecks(db);
  const checkKey = createKeyCheck(db, keyChecks, options.operatorKey);
  const delayRefusal: DelayRefusal = limits.requestsPerSecond === 'off' ? refuseAtOnce : createRefusalDelay();
  const authenticate = byKeyHeader(checkKey, delayRefusal);
  const databaseWatch = watchDatabase(db, log);
  const rate = createRateLimit(limits.requestsPerSecond, limits.requestBurst);
  const gate = {
    db,
    authenticate,
    readAhead: createReadAhead(),
    rate,
    slots: createRequestSlots(limits),
    limits,
    readiness,
    tooLate: tooLate.signal,
  };
  const responders = [
    ...toResponders(v1, { ...gate, unknownQuery: 'ignored' }),
    ...toResponders(manage, { ...gate, unknownQuery: 'refused' }),
    ...healthResponders({
      db,
      authenticate,
      databaseWatch,
      readiness,
      closing: closing.signal,
      readMetrics: options.readMetrics,
      metricsToken: options.metricsToken,
    }),
    ...docsResponders(
      {
        '/openapi.json': describeSurface(v1Info, v1),
        '/manage/openapi.json': describeSurface(manageInfo, manage),
      },
      docsPages,
    ),
    ...consoleResponders({
      db,
      keyChecks,
      version,
      operatorKey: options.operatorKey,
      checkKey,
      delayRefusal,
      gate,
      v1,
      manage,
    }),
  ];
  const { server, connections } = createHttpServer({
    limits,
    requestLog: createRequestLog({ log, metrics: options.metrics, logsAccess: options.logsAccess }),
    responders,
    rate,
    databaseWatch,
    mostConnections: options.mostConnections ?? Infinity,
    cors: options.corsOrigins.length === 0 ? undefined : createCors(options.corsOrigins),
    closing: closing.signal,
  });

  return {
    async listen(host, port) {
      server.listen({ host, port, backlog: BACKLOG });
      await once(server, 'listening');
      return server.address() as AddressInfo;
    },
    announceEnd: () => {
      closing.abort();
    },
    async close() {
      closing.abort();
      watch.end();
      // A connection that was busy a moment ago falls idle with its answer, and would be kept open for the next request.
      const idle = setInterval(connections.closeIdle, CLOSE_IDLE_EVERY_MS);
      const lastBodies = setTimeout(() => tooLate.abort(), LAST_BODIES_MS);
      const late = setTimeout(connections.closeAll, LONGEST_ANSWER_MS);
      const isClosed = once(server, 'close');
      server.close();
      await isClosed;
      clearInterval(idle);
      clearTimeout(lastBodies);
      clearTimeout(late);
      await menus.close();
    },
  };
}
