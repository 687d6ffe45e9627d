import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../db/database.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts what this process does: requests by route and status, pool use, event-loop lag, cache bytes. */
export function observeService(
  registry: Registry,
  app: FastifyInstance,
  db: Database,
  cacheBytes: () => number,
): void {
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  // Finding the series by its labels costs more than adding to it, so each is looked up once.
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const name = `${request.method} ${reply.statusCode} ${route}`;
    let known = series.get(name);
    if (known === undefined) {
      known = durations.labels({ method: request.method, route, status: reply.statusCode });
      series.set(name, known);
    }
    known.observe(reply.elapsedTime / 1000);
    done();
  });
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
