import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/database.js';

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
