import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Database } from '../postgres/database.js';
import { createSender } from '../webhooks/http-sender.js';
import { createImmediateSends } from '../webhooks/send-event.js';
import { startDeliveries, type Deliveries } from '../webhooks/start-deliveries.js';
import { createAddressPolicy, createNameResolver, type ResolveName } from '../webhooks/addresses.js';
import { version } from '../support/version.js';
import { createSecretKeeper } from './key-files.js';

interface WebhooksOptions {
  readonly config: Pick<Config, 'webhookAllow' | 'secretKey' | 'dataDir' | 'databaseUrl'>;
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly resolve?: ResolveName;
}

/** Assembles webhook delivery for this process. */
export function createWebhooks({ config, db, log, metrics, resolve }: WebhooksOptions) {
  const policy = createAddressPolicy(config.webhookAllow);
  const sender = createSender({ policy, resolve: resolve ?? createNameResolver() });
  const secrets = createSecretKeeper(config, log);
  const userAgent = `Comanda/${version}`;
  const immediateSends = createImmediateSends({ db, sender, userAgent }, secrets);
  let deliveries: Deliveries | undefined;
  return {
    tools: { secrets, policy, immediateSends },
    /** Starts sending events; the database must be ready. */
    begin: () => {
      deliveries ??= startDeliveries({ db, sender, secrets, log, metrics, userAgent });
    },
    /** Finishes deliveries in progress and releases this process's claims. */
    stop: async () => {
      await deliveries?.stop();
      sender.close();
    },
    /** Called after the last request: leaves events written since to other processes. */
    releaseAll: async () => deliveries?.releaseAll(),
  };
}
