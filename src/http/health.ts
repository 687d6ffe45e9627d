import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/database.js';
import { createReadinessCheck } from '../db/schema-ledger.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { requirePermission } from '../domain/key/principal.js';
import { json } from './answer.js';
import { createComparison, type Authenticate } from './authentication.js';
import type { DatabaseWatch } from './database-watch.js';
import type { Responder } from './http-server.js';

/** Whether the database is as the service needs it; before that, requests are told to come back. */
export interface Readiness {
  isReady: boolean;
}

export interface Health {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly readiness: Readonly<Readiness>;
  /** Aborts when the service is about to end. */
  readonly closing: AbortSignal;
  readonly databaseWatch: DatabaseWatch;
  /** Prometheus text; in a cluster, that of all its processes together. */
  readonly readMetrics: () => Promise<string>;
  /** Opens the metrics beside an operator key: `Authorization: Bearer …`, which is what Prometheus sends. */
  readonly metricsToken: string | undefined;
}

/** What hosts and tools ask of the process itself; only the metrics want a key. */
export function healthResponders(health: Health): Responder[] {
  const isDatabaseReady = createReadinessCheck(health.db);
  const isToken =
    health.metricsToken === undefined ? () => false : createComparison(`Bearer ${health.metricsToken}`);
  return [
    { method: 'GET', path: '/healthz', respond: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      respond: async () => {
        const ailment = await health.databaseWatch.ailment();
        if (ailment !== undefined) throw ailment;
        const isServing = health.readiness.isReady && !health.closing.aborted;
        if (!isServing || !(await isDatabaseReady())) throw new DatabaseUnavailable();
        return json({ status: 'ready' });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      respond: async ({ request }) => {
        if (!isToken(request.headers.authorization)) {
          const { principal } = await health.authenticate(request, undefined);
          requirePermission(principal, 'operator');
        }
        const type = ['content-type', 'text/plain; version=0.0.4; charset=utf-8'];
        return { status: 200, headers: type, body: await health.readMetrics() };
      },
    },
  ];
}

/** Counts what this process does beside answering: pool use, event-loop lag, cache bytes. */
export function observeService(registry: Registry, db: Database, cacheBytes: () => number): void {
  collectDefaultMetrics({ register: registry });
  addPoolGauge(registry, db);
  new Gauge({
    name: 'comanda_menu_cache_bytes',
    help: 'Rendered menus held in memory',
    registers: [registry],
    collect() {
      this.set(cacheBytes());
    },
  });
}

export function observeFreeSpace(registry: Registry, folder: string): void {
  new Gauge({
    name: 'comanda_data_free_bytes',
    help: 'Free space on the disk of the data folder',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const { bavail, bsize } = await statfs(folder);
      this.set(bavail * bsize);
    },
  });
}

function addPoolGauge(registry: Registry, db: Database): void {
  new Gauge({
    name: 'comanda_database_connections',
    help: 'Connections of the pool by state; waiting counts requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = db.usage();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}
