import type { Database } from '../db/database.js';
import type { TellEvents } from '../domain/event/event.js';
import type { Limits } from '../domain/limits.js';
import type { Menus } from '../menu-rendering/menus.js';
import type { PublicationQueue } from './publication-queue.js';

/** What every route of a menu works with, on either surface. */
export interface MenuContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly limits: Limits;
  readonly tell: TellEvents;
  readonly publications: PublicationQueue;
}
