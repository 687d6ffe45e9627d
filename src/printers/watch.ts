import { appendEvents } from '../events/events.sql.js';
import { markRaised } from '../orders/attention/attention.sql.js';
import { orderAttention } from '../orders/events.js';
import type { Database } from '../postgres/database.js';
import { NotFound } from '../support/errors.js';
import {
  findSilentPrinters,
  findUnwatched,
  getPrinter,
  updatePrinter,
  type WatchedPrinter,
} from './printers.sql.js';
import { findUnprinted } from './queue.js';
import { ONLINE_MS, tellTrouble } from './state.js';

/** Tells of printers that have fallen silent, and of orders that are not on paper in time. */
export async function watchPrinters(db: Database, now = new Date()): Promise<void> {
  for (const { storeKey, id } of await findSilentPrinters(db, new Date(now.getTime() - ONLINE_MS)))
    await inStore(() =>
      db.transaction(async (tx) => {
        const printer = await getPrinter(tx, storeKey, id, true);
        if (printer === undefined || printer.trouble === 'offline') return;
        await updatePrinter(tx, storeKey, id, { trouble: 'offline' });
        await tellTrouble(tx, storeKey, printer, 'offline');
      }),
    );
  for (const watched of await findUnwatched(db, now)) await inStore(() => raiseUnprinted(db, watched, now));
}

/** A store that was deleted meanwhile has no events. */
async function inStore(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}

async function raiseUnprinted(db: Database, watched: WatchedPrinter, now: Date): Promise<void> {
  const { printer, store, minutes } = watched;
  const { storeKey } = store;
  const after = Math.max(printer.sequence, printer.watched);
  const until = new Date(now.getTime() - minutes * 60_000).toISOString();
  const { unprinted, reached } = await findUnprinted(db, watched, { after, until });
  if (reached === after) return;
  const orders = [...unprinted.values()].filter(({ kind }) => kind !== 'cancelled').map(({ order }) => order);
  await db.transaction(async (tx) => {
    await updatePrinter(tx, storeKey, printer.id, { watched: reached });
    const raised = await markRaised(
      tx,
      storeKey,
      orders.map(({ id }) => id),
      'not_printed',
    );
    const act = { keyId: null, at: now.toISOString() };
    const events = orders
      .filter(({ id }) => raised.has(id))
      .map((order) => ({ ...order, externalId: order.external_id, readyBy: order.ready_by }))
      .map((order) => orderAttention(order, 'not_printed', act));
    if (events.length > 0) await appendEvents(tx, storeKey, events);
  });
}
