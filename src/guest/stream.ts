import { readKeptRanges } from '../events/events.sql.js';
import type { EventWatch } from '../feed/watch.js';
import { firstMessage, LONGEST_SILENCE_MS, message, silence } from '../http/event-stream.js';
import { isFinal } from '../orders/status.js';
import { createBatch } from '../postgres/batch.js';
import type { Database } from '../postgres/database.js';
import type { GuestsOrder } from './orders.sql.js';

/**
 * Server-Sent Events: how the order stands, first as it is and then with each change, until it is final. Events of the store
 * only say when to look.
 */
export function createFollowOrder(db: Database, watch: EventWatch) {
  const lastSequenceOf = createBatch<number, number>({
    run: async (storeKeys) => {
      const ranges = await readKeptRanges(db, storeKeys);
      return storeKeys.map((storeKey) => ranges.get(storeKey)?.last ?? 0);
    },
  });

  return async function* (
    storeKey: number,
    read: () => Promise<GuestsOrder | undefined>,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    let shown = '';
    let silentUntil = 0;
    yield firstMessage();
    while (!signal.aborted && !watch.hasEnded()) {
      // Before the order is read, so that no change can fall between the two.
      const last = await lastSequenceOf(storeKey);
      const order = await read();
      if (order === undefined) return;
      const text = JSON.stringify(progressOf(order));
      if (text !== shown || performance.now() >= silentUntil) {
        yield text === shown ? silence() : message('order', String(order.revision), text);
        shown = text;
        silentUntil = performance.now() + LONGEST_SILENCE_MS;
      }
      if (isFinal(order.status)) return;
      await watch.wait(new Map([[storeKey, last]]), silentUntil - performance.now(), signal);
    }
  };
}

export type Progress = Pick<
  GuestsOrder,
  'status' | 'readyBy' | 'reason' | 'reasonText' | 'price' | 'tax' | 'due'
>;

/** What changes about an order while its guest waits. */
export function progressOf({ status, readyBy, reason, reasonText, price, tax, due }: Progress) {
  return { status, ready_by: readyBy, reason, reason_text: reasonText, price, tax, due };
}
