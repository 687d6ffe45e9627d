import type { Logger } from 'pino';
import type { ListTags } from '../http/list-tags.js';
import type { Route } from '../http/route.js';
import type { StreamWithSlot } from '../http/request-limits.js';
import type { EventWatch } from '../operations/events/event-watch.js';
import type { MenuContext } from '../operations/publish-menu.js';
import { chooseCountSlot } from '../operations/orders/take-in-order.js';
import { backupRoutes } from './backup.js';
import { databaseRoutes } from './database.js';
import { deletionRoutes } from './deletions.js';
import { eventRoutes } from './events.js';
import { keyRoutes } from './keys.js';
import { menuStockRoutes } from './menu-stock.js';
import { menuVersionRoutes } from './menu-versions.js';
import { menuRoutes } from './menus.js';
import { merchantRoutes } from './merchants.js';
import { orderTransferRoutes } from './order-transfers.js';
import { orderRoutes } from './orders.js';
import { quoteRoutes } from './quotes.js';
import { storeRoutes } from './stores.js';
import { webhookDeliveryRoutes } from './webhook-deliveries.js';
import { webhookRoutes, type WebhookTools } from './webhooks.js';

/** Everything around the interface: provisioning, keys, menu history and stock, orders, events, webhooks. */
export function manageRoutes(
  context: MenuContext & {
    readonly watch: EventWatch;
    readonly version: string;
    readonly log: Logger;
    readonly streamWithSlot: StreamWithSlot;
    readonly listTags: ListTags;
    readonly webhooks: WebhookTools;
  },
): Route[] {
  const { db, limits, version, log, streamWithSlot, webhooks } = context;
  const countSlot = chooseCountSlot();
  return [
    ...merchantRoutes(),
    ...storeRoutes(),
    ...deletionRoutes(db, log),
    ...keyRoutes(),
    ...menuRoutes(context),
    ...menuVersionRoutes(context),
    ...menuStockRoutes(context),
    ...orderRoutes({ ...context, countSlot }),
    ...quoteRoutes(context.menus),
    ...orderTransferRoutes({ db, limits, countSlot, streamWithSlot }),
    ...eventRoutes(context),
    ...webhookRoutes(webhooks),
    ...webhookDeliveryRoutes(webhooks.immediateSends),
    ...backupRoutes(db, limits, version),
    ...databaseRoutes(db),
  ];
}
