import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Metric, type Registry } from 'prom-client';
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

const NAME = 'http_request_duration_seconds';
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Notes a request of one route. */
type NoteRequest = (status: number, ms: number) => void;

export interface RequestTimes {
  /** `route` as in the table of routes. */
  of(method: string, route: string): NoteRequest;
}

/** How many requests took how long; the last count is of those beyond all bounds. */
interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  readonly counts: number[];
  seconds: number;
}

/**
 * A histogram of our own behind prom-client's registry: its own one works out the name of the series for every request,
 * which takes about a microsecond.
 */
export function createRequestTimes(registry: Registry): RequestTimes {
  const all: Series[] = [];
  const routes = new Map<string, NoteRequest>();
  const histogram = {
    name: NAME,
    help: 'Time from the head of a request to the end of its answer',
    type: 'histogram',
    aggregator: 'sum',
  };
  const readable = {
    ...histogram,
    get: () => Promise.resolve({ ...histogram, values: all.flatMap(toValues) }),
  };
  registry.registerMetric(readable as unknown as Metric);

  return {
    of(method, route) {
      const name = `${method} ${route}`;
      const known = routes.get(name);
      if (known !== undefined) return known;
      const created = createRoute(method, route, all);
      routes.set(name, created);
      return created;
    },
  };
}

function createRoute(method: string, route: string, all: Series[]): NoteRequest {
  const byStatus = new Map<number, Series>();
  return (status, ms) => {
    let series = byStatus.get(status);
    if (series === undefined) {
      series = {
        labels: { method, route, status },
        counts: Array<number>(BOUNDS.length + 1).fill(0),
        seconds: 0,
      };
      byStatus.set(status, series);
      all.push(series);
    }
    const seconds = ms / 1000;
    let place = 0;
    while (place < BOUNDS.length && seconds > (BOUNDS[place] as number)) place += 1;
    series.counts[place] = (series.counts[place] as number) + 1;
    series.seconds += seconds;
  };
}

/** As Prometheus wants it: each bucket counts all up to its bound. */
function toValues({ labels, counts, seconds }: Series) {
  let upTo = 0;
  const buckets = counts.map((count, place) => {
    upTo += count;
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS[place] ?? '+Inf', ...labels }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: seconds },
    { metricName: `${NAME}_count`, labels, value: upTo },
  ];
}
