import { once, setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { consoleResponders } from './console/index.js';
import type { Database } from './postgres/database.js';
import type { Config } from './config.js';
import { toResponders } from './http/pipeline.js';
import { byKeyHeader, createKeyCheck, createRefusalDelay, openKeyChecks } from './access/authentication.js';
import { auditRoutes } from './audit/routes.manage.js';
import { customerRoutes } from './customers/routes.manage.js';
import { watchForProxy } from './http/connections.js';
import { createCors } from './http/cors.js';
import { docsPages, guestInfo, manageInfo, v1Info } from './api-descriptions.js';
import { agentResponders } from './agents/mcp.js';
import { docsResponders } from './http/docs.js';
import { createInnerCalls } from './http/inner-calls.js';
import {
  healthResponders,
  observeFreeSpace,
  observeService,
  watchDatabase,
  type Readiness,
} from './http/health.js';
import { createPublicOrigin } from './http/origin.js';
import { describeSurface } from './http/openapi.js';
import { createRequestLog } from './http/request-log.js';
import { createRequestPermits } from './http/request-limits.js';
import { createHttpServer } from './http/server.js';
import { createRateLimit, type RateLimit } from './http/rate-limit.js';
import { eventRoutes } from './feed/routes.manage.js';
import { byCodeOrToken } from './guest/authenticate.js';
import { createGuestsOrderReader } from './guest/orders.sql.js';
import { guestPageResponders } from './guest/page.js';
import { createGuestContext } from './guest/context.js';
import { plainMenuRoutes } from './guest/plain-menu.js';
import { guestRoutes } from './guest/routes.guest.js';
import { placeRoutes } from './guest/routes.manage.js';
import { menuChangeRoutes } from './menus/publish/changes.routes.manage.js';
import { menuRoutes as manageMenuRoutes } from './menus/routes.manage.js';
import { menuRoutes } from './menus/routes.v1.js';
import { cancelScheduledOfKeys, countScheduledOfKeys } from './menus/rollouts/rollouts.sql.js';
import { createPublicationClock } from './menus/rollouts/scheduled-rollouts.js';
import { publicationRoutes } from './menus/rollouts/routes.manage.js';
import { photoRoutes } from './menus/photos/routes.manage.js';
import { photoResponders } from './menus/photos/serve-photos.js';
import { menuStockRoutes } from './menus/stock/routes.manage.js';
import { menuVersionRoutes } from './menus/versions/routes.manage.js';
import { createOrders } from './orders/orders.js';
import { copyMenu } from './menus/rollouts/run.js';
import { copyIntake } from './pace/settings.sql.js';
import { copyPlaces } from './guest/places.sql.js';
import type { CopyParts } from './tenants/stores.js';
import { OrderRequest } from './orders/request-shapes.js';
import { orderRoutes as manageOrderRoutes } from './orders/routes.manage.js';
import { orderRoutes } from './orders/routes.v1.js';
import { pickupRoutes } from './orders/pickup/routes.manage.js';
import { orderTransferRoutes } from './orders/transfer/routes.manage.js';
import { createStorePace } from './pace/settings.js';
import { overviewRoutes } from './overview/routes.manage.js';
import { usageRoutes } from './overview/usage.routes.manage.js';
import { intakeRoutes } from './pace/routes.manage.js';
import { quoteRoutes } from './quotes/routes.manage.js';
import { copyPrinters } from './printers/printers.sql.js';
import { printerRoutes } from './printers/routes.manage.js';
import { printResponders } from './printers/routes.print.js';
import { salesRoutes } from './sales/routes.manage.js';
import {
  merchantRoutes as manageMerchantRoutes,
  storeRoutes as manageStoreRoutes,
} from './tenants/routes.manage.js';
import { merchantRoutes, storeRoutes } from './tenants/routes.v1.js';
import { keyRoutes } from './tenants/keys.routes.manage.js';
import { createBackups } from './upkeep/backup.js';
import { deletionRoutes } from './upkeep/deletions.routes.manage.js';
import { doctorRoutes } from './upkeep/doctor.routes.manage.js';
import { moveRoutes } from './upkeep/moves.routes.manage.js';
import { backupRoutes } from './upkeep/routes.manage.js';
import { webhookRoutes, type WebhookTools } from './webhooks/routes.manage.js';
import { countActiveEndpoints } from './webhooks/endpoints.sql.js';
import { disableEndpointsOfKeys } from './webhooks/webhooks.js';
import { createMenus } from './menus/rendering/menus.js';
import { createEventWatch } from './feed/watch.js';
import { createPublishQueue } from './menus/publish/publish.js';
import { BOUNDS } from './support/bounds.js';
import { version } from './support/version.js';

interface AppOptions extends Config {
  readonly db: Database;
  readonly log: Logger;
  /** Folder of the bundled database, whose free space is a metric. */
  readonly dataFolder: string | undefined;
  /** Default: no limit. */
  readonly mostConnections?: number;
  readonly readiness: Readiness;
  readonly webhooks: WebhookTools;
  readonly metrics: Registry;
}

/** Connections that wait to be accepted; under a burst Node's 511 would let some wait for seconds. */
const BACKLOG = 4096;

/** Largest body of a guest. */
const MOST_GUEST_BYTES = 64 * 1024;

/** Assembles the service: HTTP, the three surfaces, the docs and the pages for guests and staff. */
export function buildApp(options: AppOptions) {
  const { db, limits, log, readiness } = options;
  const closing = new AbortController();
  const tooLate = new AbortController();
  // Every body that is arriving adds a listener.
  setMaxListeners(0, tooLate.signal);
  const menus = createMenus(db, limits);
  observeService(options.metrics, db, () => menus.cacheBytes());
  if (options.dataFolder !== undefined) observeFreeSpace(options.metrics, options.dataFolder);

  const watch = createEventWatch(db);
  const storePace = createStorePace();
  const orders = createOrders({ db, menus, storePace, limits });
  const context = {
    db,
    menus,
    orders,
    limits,
    queuePublish: createPublishQueue(),
    queueRollout: createPublishQueue(BOUNDS.rollouts),
    publishRate: perMinute(limits.menuPostsPerMinute),
    storePace,
    movedDaysOf: storePace.movedDaysOf,
    readyFrom: storePace.readyFrom,
  };
  const publications = createPublicationClock(context, (error) =>
    log.warn({ err: error }, 'A publication was interrupted; it goes on within seconds'),
  );
  const backups = createBackups(db, limits.importIdleSeconds);
  const publicOrigin = createPublicOrigin(options.publicUrl, options.trustedProxies);
  const copyParts: CopyParts = async (tx, from, to, withMenu) => {
    await copyIntake(tx, from.id, to.id);
    await copyPlaces(tx, from.storeKey, to.storeKey);
    await copyPrinters(tx, from.storeKey, to.storeKey);
    if (withMenu) await copyMenu(context, tx, from, to);
  };
  // The interface: nine operations and nothing else.
  const v1 = [...menuRoutes(context), ...orderRoutes(context), ...storeRoutes(), ...merchantRoutes()];
  const manage = [
    ...manageMerchantRoutes(),
    ...manageStoreRoutes(copyParts),
    ...deletionRoutes(db, log),
    ...keyRoutes(
      {
        webhooks: { count: countActiveEndpoints, end: disableEndpointsOfKeys },
        publications: { count: countScheduledOfKeys, end: cancelScheduledOfKeys },
      },
      publicOrigin,
    ),
    ...manageMenuRoutes(context),
    ...menuChangeRoutes(context),
    ...publicationRoutes(context),
    ...menuVersionRoutes(context),
    ...menuStockRoutes(context),
    ...photoRoutes(db),
    ...manageOrderRoutes(orders),
    ...pickupRoutes(),
    ...intakeRoutes(storePace),
    ...quoteRoutes(menus, storePace, OrderRequest),
    ...orderTransferRoutes(orders),
    ...salesRoutes(context),
    ...eventRoutes({ ...context, watch }),
    ...placeRoutes(publicOrigin, orders),
    ...webhookRoutes(options.webhooks),
    ...printerRoutes(publicOrigin, orders),
    ...customerRoutes({ ...context, log }),
    ...overviewRoutes(storePace),
    ...usageRoutes(),
    ...auditRoutes(),
    ...backupRoutes(backups),
    ...moveRoutes(backups),
    ...doctorRoutes(db, options.trustedProxies, options.publicUrl),
  ];
  const readOrder = createGuestsOrderReader(db);
  const { trustedProxies } = options;
  const guestContext = createGuestContext({ ...context, watch, readOrder, trustedProxies });
  const guest = guestRoutes(guestContext);
  const keyChecks = openKeyChecks(db);
  const checkKey = createKeyCheck(db, keyChecks, options.operatorKey);
  const delayRefusal = createRefusalDelay(limits.requestsPerSecond !== 'off');
  const authenticate = byKeyHeader(checkKey, delayRefusal);
  const databaseWatch = watchDatabase(db, log, readiness);
  const rate = createRateLimit(limits.requestsPerSecond, limits.requestBurst);
  const deps = {
    db,
    authenticate,
    rate,
    permits: createRequestPermits(),
    limits,
    readiness,
    tooLate: tooLate.signal,
  };
  const authenticateGuest = byCodeOrToken({ keyChecks, readOrder, delayRefusal });
  const surfaces = [
    ...toResponders(v1, { ...deps, unknownQuery: 'ignored', unknownKeys: 'ignored' }),
    ...toResponders(manage, { ...deps, unknownQuery: 'refused', unknownKeys: 'refused' }),
    ...toResponders([...guest, ...plainMenuRoutes(guestContext)], {
      ...deps,
      authenticate: authenticateGuest,
      limits: { ...limits, jsonBytes: Math.min(limits.jsonBytes, MOST_GUEST_BYTES) },
      unknownQuery: 'ignored',
      unknownKeys: 'refused',
    }),
  ];
  const requestLog = createRequestLog({ log, metrics: options.metrics, logsAccess: options.logsAccess });
  const { explainError } = databaseWatch;
  const agents = agentResponders({
    deps,
    checkKey,
    delayRefusal,
    authenticateGuest,
    mostGuestBytes: MOST_GUEST_BYTES,
    staffRoutes: [...v1, ...manage],
    guestRoutes: guest,
    runInner: createInnerCalls({ responders: surfaces, requestLog, explainError }),
    secrets: options.webhooks.secrets,
    publicOrigin,
    publicUrl: options.publicUrl,
    corsOrigins: options.corsOrigins,
    log,
  });
  const responders = [
    ...surfaces,
    ...(options.servesAgents ? agents : []),
    ...healthResponders({
      db,
      authenticate,
      databaseWatch,
      readiness,
      closing: closing.signal,
      metrics: options.metrics,
      metricsToken: options.metricsToken,
    }),
    ...docsResponders(
      {
        '/openapi.json': () => describeSurface(v1Info, v1),
        '/manage/openapi.json': () => describeSurface(manageInfo, manage),
        '/guest/openapi.json': () => describeSurface(guestInfo, guest),
      },
      docsPages,
      options.servesAgents,
    ),
    ...photoResponders(db),
    ...guestPageResponders(),
    ...printResponders({ ...deps, keyChecks, menus, delayRefusal }),
    ...consoleResponders({
      db,
      keyChecks,
      version,
      operatorKey: options.operatorKey,
      checkKey,
      delayRefusal,
      deps,
      v1,
      manage,
    }),
  ];
  const { server, close } = createHttpServer({
    limits,
    requestLog,
    responders,
    rate,
    explainError,
    mostConnections: options.mostConnections ?? Infinity,
    cors: options.corsOrigins.length === 0 ? undefined : createCors(options.corsOrigins),
    closing: closing.signal,
  });

  return {
    async listen(host: string, port: number) {
      server.listen({ host, port, backlog: BACKLOG });
      await once(server, 'listening');
      return server.address() as AddressInfo;
    },
    /** Whether a request has come through a proxy. */
    hasSeenProxy: watchForProxy(server),
    /** Begins the publications whose time has come. */
    runDuePublications: () => publications.runDue(),
    /** Keeps serving, but reports unready and asks clients to reconnect elsewhere. */
    announceEnd: () => closing.abort(),
    /** Finishes requests in progress, rejects new ones, and ends. */
    async close() {
      closing.abort();
      watch.end();
      await close(() => tooLate.abort());
      await publications.stop();
      await menus.close();
    },
  };
}

function perMinute(rate: number | 'off'): RateLimit {
  return rate === 'off' ? createRateLimit('off', 0) : createRateLimit(rate / 60, rate);
}
