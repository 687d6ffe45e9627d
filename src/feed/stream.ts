import {
  DatabaseUnavailable,
  EventsGone,
  Forbidden,
  ClientDisconnected,
  MerchantMoved,
  NotFound,
  Unauthenticated,
} from '../support/errors.js';
import { ValidationFailed } from '../support/error-details.js';
import type { Release } from '../support/fair-semaphore.js';
import { firstMessage, LONGEST_SILENCE_MS, message, silence } from '../http/event-stream.js';
import type { EventFeed, WatchRequest } from './feed.js';
import type { EventWatch } from './watch.js';
import { cursorOf, resubscribe, type FeedPosition } from './position.js';

export interface StreamRequest extends WatchRequest {
  /** Waits for memory for a page. */
  readonly acquirePage: (() => Promise<Release>) | undefined;
}

/**
 * An endless stream of Server-Sent Events, no faster than the client reads. The first message has only an id, so that a client
 * that is disconnected before the first event knows where to resume.
 */
export async function* streamEvents(
  feed: EventFeed,
  watch: EventWatch,
  start: FeedPosition,
  request: StreamRequest,
): AsyncGenerator<string> {
  const isOver = () => request.signal.aborted || watch.hasEnded();
  let position = start;
  let silentUntil = performance.now() + LONGEST_SILENCE_MS;
  yield firstMessage(cursorOf(position));
  try {
    while (!isOver()) {
      const release = await request.acquirePage?.();
      let hasMore: boolean;
      try {
        // Check here, because the key may have been revoked while the stream waited for its page.
        position = resubscribe(position, await request.reauthorize());
        const page = await feed.read(position, request);
        ({ position, hasMore } = page);
        if (page.texts.length > 0) {
          yield page.texts.map(({ type, cursor, json }) => message(type, cursor, json)).join('');
          silentUntil = performance.now() + LONGEST_SILENCE_MS;
        }
      } finally {
        release?.();
      }
      if (performance.now() >= silentUntil) {
        // Also advances the position of a reader of few types.
        yield silence(cursorOf(position));
        silentUntil = performance.now() + LONGEST_SILENCE_MS;
      }
      if (!hasMore) await watch.wait(position.lastSeen, silentUntil - performance.now(), request.signal);
    }
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
}

const ENDS = [
  Unauthenticated,
  Forbidden,
  NotFound,
  MerchantMoved,
  EventsGone,
  DatabaseUnavailable,
  ClientDisconnected,
  ValidationFailed,
];

/** Errors that end a started stream: the client reconnects with its last id and gets the reason. */
function isEnd(error: unknown): boolean {
  return ENDS.some((kind) => error instanceof kind);
}
