import { Counter, Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../postgres/database.js';
import { readTotalLag, type TotalLag } from './lag.sql.js';
import type { DisabledReason } from './shapes.js';

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

const LAG_KEPT_MS = 5_000;

export function createDeliveryMetrics(registry: Registry, db: Queryable) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'comanda_webhook_deliveries_total',
    help: 'Delivery attempts by outcome; a parked event also counts as failed',
    labelNames: ['outcome'],
    registers,
  });
  const disabled = new Counter({
    name: 'comanda_webhooks_disabled_total',
    help: 'Endpoints disabled because they responded 410 or kept failing',
    labelNames: ['reason'],
    registers,
  });
  observeLag(registry, db);
  return {
    count: (outcome: 'delivered' | 'failed' | 'parked') => attempts.inc({ outcome }),
    countDisabled: (reason: DisabledReason) => disabled.inc({ reason }),
  };
}

/** The lag of the whole installation. Every process reports it, so take the maximum of several. */
function observeLag(registry: Registry, db: Queryable): void {
  const read = createLagReader(db);
  const gauge = (name: string, help: string, valueOf: (lag: TotalLag) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const lag = await read();
        if (lag !== undefined) this.set(valueOf(lag));
      },
    });
  gauge('comanda_webhook_lag_events', 'Events not yet delivered to active endpoints', ({ events }) => events);
  gauge(
    'comanda_webhook_lag_seconds',
    'Age of the oldest event not yet delivered to an active endpoint',
    ({ seconds }) => seconds,
  );
  gauge('comanda_webhooks_active', 'Active endpoints', ({ active }) => active);
  gauge('comanda_webhooks_disabled', 'Disabled endpoints', ({ disabled }) => disabled);
}

/** One query for all metrics of a scrape. Without the database, nothing is reported. */
function createLagReader(db: Queryable): () => Promise<TotalLag | undefined> {
  let readAt = -Infinity;
  let last: Promise<TotalLag | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt > LAG_KEPT_MS) {
      readAt = performance.now();
      last = readTotalLag(db).catch(() => undefined);
    }
    return last;
  };
}
