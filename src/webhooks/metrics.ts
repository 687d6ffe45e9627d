import { Counter, Gauge, type Registry } from 'prom-client';
import { createBatch } from '../postgres/batch.js';
import type { Queryable } from '../postgres/database.js';
import { readTotalLag, type TotalLag } from './lag.sql.js';
import type { DisabledReason } from './shapes.js';

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

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
  // All that are asked for by a scrape share a query. Without the database, nothing is reported.
  const read = createBatch<'lag', TotalLag | undefined>({
    run: async (asks) => {
      const lag = await readTotalLag(db).catch(() => undefined);
      return asks.map(() => lag);
    },
  });
  const gauges = {
    comanda_webhook_lag_events: ['events', 'Events not yet delivered to active endpoints'],
    comanda_webhook_lag_seconds: [
      'seconds',
      'Age of the oldest event not yet delivered to an active endpoint',
    ],
    comanda_webhooks_active: ['active', 'Active endpoints'],
    comanda_webhooks_disabled: ['disabled', 'Disabled endpoints'],
  } as const;
  for (const [name, [member, help]] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const lag = await read('lag');
        if (lag !== undefined) this.set(lag[member]);
      },
    });
}
