import { randomUUID } from 'node:crypto';
import { tryLockFor } from '../postgres/advisory-locks.js';
import { purgeOldSessions } from '../access/sessions.sql.js';
import type { Database, Statement, Transaction } from '../postgres/database.js';
import { purgeOldResponses } from '../http/idempotency.sql.js';
import { purgeOldIntakeKeys } from '../orders/intake/keys.sql.js';
import { purgeOrphans } from '../menus/photos/photos.sql.js';
import { purgeOldPublications } from '../menus/rollouts/rollouts.sql.js';
import { pruneEntries } from '../audit/audit.sql.js';
import { pruneEvents } from '../events/events.sql.js';
import { purgeRemovedEndpoints, trimAllDeliveries } from '../webhooks/deliveries.sql.js';
import { purgeOldTickets } from '../printers/tickets.sql.js';
import { repeatEvery } from './repeat.js';
import { emptyDeletedStores } from './deletions.js';
import type { RetentionDefaults } from './order-retention.sql.js';
import { applyRetention } from './order-retention.js';
import { extendTurn, takeTurn } from './upkeep-leases.sql.js';
import { DAY_MS } from '../support/datetime.js';

const CLEAN_UP_EVERY_MS = 10 * 60_000;
const LOOK_EVERY_MS = 15_000;

/**
 * Removes idempotency keys older than a day, console sessions that have ended, webhook deliveries older than 30 days or beyond
 * those kept of an endpoint, events older than `eventDays`, audit entries older than `auditDays`, old publications and
 * printed tickets, photos that no item has, and what stores no longer keep.
 */
export async function cleanUp(
  db: Database,
  eventDays: number,
  retention: RetentionDefaults & { readonly auditDays?: number } = {},
  mayGoOn = () => Promise.resolve(true),
): Promise<void> {
  const { auditDays } = retention;
  const own = oneAtATime(db, 'cleanup');
  const steps = [
    () => purgeOldResponses(own),
    () => purgeOldIntakeKeys(own),
    () => purgeOldSessions(own),
    () => trimAllDeliveries(own),
    () => purgeRemovedEndpoints(own),
    () => pruneEvents(own, daysAgo(eventDays)),
    () => auditDays !== undefined && pruneEntries(own, daysAgo(auditDays)),
    () => purgeOldPublications(own),
    () => purgeOldTickets(own),
    () => purgeOrphans(own),
  ];
  const failures: unknown[] = [];
  for (const removeSome of steps) {
    // A failing step does not stop the others.
    try {
      while ((await removeSome()) === true);
    } catch (error) {
      if (error instanceof DoneElsewhere) break;
      failures.push(error);
    }
  }
  // Not under the lock: it may take hours, and what else is to be removed need not wait for it.
  await applyRetention(db, retention, mayGoOn).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'The cleanup is incomplete');
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

interface Kept extends RetentionDefaults {
  readonly eventDays: number;
  readonly auditDays: number;
}

/**
 * Cleans up every ten minutes, in one process of the installation: all of them look whether it is their turn, and whether a
 * deleted store is left to be emptied. Returns a function that stops it.
 */
export function cleanUpRegularly(db: Database, kept: Kept, onFailure: (error: unknown) => void): () => void {
  const turn = { work: 'cleanup', holder: randomUUID(), everyMs: CLEAN_UP_EVERY_MS } as const;
  let hasEnded = false;
  const work = async () => {
    if (!(await takeTurn(db, turn))) return;
    let extendedAt = Date.now();
    const mayGoOn = async () => {
      if (hasEnded) return false;
      if (Date.now() - extendedAt < LOOK_EVERY_MS) return true;
      extendedAt = Date.now();
      return extendTurn(db, turn);
    };
    await cleanUp(db, kept.eventDays, kept, mayGoOn);
  };
  // Each by itself: a large store takes hours to empty, and what else is to be removed need not wait for it.
  const ends = [work, () => removeDeletedStores(db)].map((task) =>
    repeatEvery(LOOK_EVERY_MS, task, onFailure),
  );
  return () => {
    hasEnded = true;
    for (const end of ends) end();
  };
}

/** Runs right after a deletion too. Where another process is at it, that one or the next look finds the store. */
export async function removeDeletedStores(db: Database): Promise<void> {
  try {
    await emptyDeletedStores(oneAtATime(db, 'emptying'));
  } catch (error) {
    if (!(error instanceof DoneElsewhere)) throw error;
  }
}

class DoneElsewhere extends Error {}

/**
 * The database for the one process of the installation that does the work. Every statement takes a lock that ends with its
 * transaction, because a pooler may run the next one on another connection, and because a lock over the whole work
 * would need a transaction that stays open for as long. A process that finds the lock taken leaves the rest to its holder.
 */
function oneAtATime(
  db: Database,
  work: 'cleanup' | 'emptying',
): Pick<Database, 'query' | 'read' | 'transaction'> {
  const transaction = <T>(body: (tx: Transaction) => Promise<T>) =>
    db.transaction(async (tx) => {
      if (!(await tryLockFor(tx.client, work))) throw new DoneElsewhere();
      return body(tx);
    });
  const query = <Row>(statement: Statement) => transaction((tx) => tx.query<Row>(statement));
  return { transaction, query, read: query };
}
