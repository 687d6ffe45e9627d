import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { MovedDays } from '../calendar/open-hours.js';
import type { RateLimit } from '../http/rate-limit.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { Limits } from '../support/limits.js';
import type { QueuePublication } from './publish/publish.js';
import type { Menus } from './rendering/menus.js';

/** What every route of a menu works with, on either surface. */
export interface MenuContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly limits: Limits;
  readonly queuePublish: QueuePublication;
  /** Takes turns among the stores that publications to many go to, so that they leave room for all others. */
  readonly queueRollout: QueuePublication;
  readonly publishRate: RateLimit;
  /** The dates on which the menus of another weekday hold. */
  readonly movedDaysOf: (db: Queryable, store: RequestedStore) => Promise<MovedDays | undefined>;
  /** When an order of now would be ready, in milliseconds since 1970. */
  readonly readyFrom: (db: Queryable, store: RequestedStore) => Promise<number>;
}
