import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import type { Database } from '../db/database.js';
import { startDelivery, type Delivery } from '../delivery/delivery.js';
import { createSender } from '../delivery/http-sender.js';
import { createImmediateSends } from '../delivery/immediate-sends.js';
import { createNameResolver, type ResolveName } from '../delivery/vetted-lookup.js';
import { createAddressPolicy, type AddressPolicy } from '../domain/webhook/addresses.js';
import type { SecretKeeper } from '../domain/webhook/secret-box.js';
import type { ImmediateSends } from '../domain/webhook/send-outcome.js';
import { version } from '../version.js';
import { createSecretKeeper } from './secret-key.js';

export interface Webhooks {
  readonly tools: {
    readonly secrets: SecretKeeper;
    readonly policy: AddressPolicy;
    readonly immediateSends: ImmediateSends;
  };
  /** From now on events are sent; the database must be ready. */
  begin(): void;
  /** Ends the requests under way, and gives back what this process had claimed. */
  stop(): Promise<void>;
  /** Leaves to other processes what this one has written since; after the last request. */
  handOver(): Promise<void>;
}

interface WebhooksOptions {
  readonly config: Pick<Config, 'webhookAllow' | 'secretKey' | 'dataDir' | 'databaseUrl'>;
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly resolve?: ResolveName;
}

/** All that sends webhooks in this process, put together. */
export function createWebhooks({ config, db, log, metrics, resolve }: WebhooksOptions): Webhooks {
  const policy = createAddressPolicy(config.webhookAllow);
  const sender = createSender({ policy, resolve: resolve ?? createNameResolver() });
  const secrets = createSecretKeeper(config, log);
  const userAgent = `Comanda/${version}`;
  const immediateSends = createImmediateSends({ db, sender, secrets, userAgent });
  let delivery: Delivery | undefined;
  return {
    tools: { secrets, policy, immediateSends },
    begin: () => {
      delivery ??= startDelivery({ db, sender, secrets, log, metrics, userAgent });
    },
    stop: async () => {
      await delivery?.stop();
      sender.close();
    },
    handOver: async () => delivery?.handOver(),
  };
}
