import {
  DatabaseUnavailable,
  EventsGone,
  Forbidden,
  NobodyWaits,
  NotFound,
  Unauthenticated,
} from '../../domain/errors.js';
import { ValidationFailed } from '../../domain/faults.js';
import type { GiveBack } from '../../domain/slots.js';
import type { EventFeed, FeedRequest } from './event-feed.js';
import type { EventText } from './event-texts.js';
import type { EventWatch } from './event-watch.js';
import { cursorOf, refollow, type Followed, type FeedPosition } from './feed-position.js';

export interface StreamRequest extends FeedRequest {
  readonly gone: AbortSignal;
  /** Asks again whose key it is and what it may see; throws when it may see nothing any more. */
  readonly lookAgain: () => Promise<Followed>;
  /** Waits until a page may be held in memory. */
  readonly takePage: (() => Promise<GiveBack>) | undefined;
}

const RETRY_MS = 3_000;
const LONGEST_SILENCE_MS = 15_000;
const CHUNK_CHARACTERS = 16_384;

/**
 * Events as Server-Sent Events, without end, no faster than they are read. The first message has only an id: whoever is
 * cut off before the first event still knows where to go on.
 */
export async function* streamEvents(
  feed: EventFeed,
  watch: EventWatch,
  start: FeedPosition,
  request: StreamRequest,
): AsyncGenerator<string> {
  const isOver = () => request.gone.aborted || watch.hasEnded();
  let position = start;
  let silentUntil = performance.now() + LONGEST_SILENCE_MS;
  yield `retry: ${RETRY_MS}\n${idLine(cursorOf(position))}\n`;
  try {
    while (!isOver()) {
      const giveBack = await request.takePage?.();
      let hasMore: boolean;
      try {
        // Only now: a key may have been revoked while the stream waited for its page.
        position = refollow(position, await request.lookAgain());
        const page = await feed.read(position, request, 'shared');
        ({ position, hasMore } = page);
        for (const chunk of toChunks(page.texts)) {
          yield chunk;
          silentUntil = performance.now() + LONGEST_SILENCE_MS;
        }
      } finally {
        giveBack?.();
      }
      if (performance.now() >= silentUntil) {
        // Also says how far a reader of few types has come.
        yield `:\n${idLine(cursorOf(position))}\n`;
        silentUntil = performance.now() + LONGEST_SILENCE_MS;
      }
      if (!hasMore) await watch.wait(position.lastSeen, silentUntil - performance.now(), request.gone);
    }
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
}

const ENDS = [
  Unauthenticated,
  Forbidden,
  NotFound,
  EventsGone,
  DatabaseUnavailable,
  NobodyWaits,
  ValidationFailed,
];

/** What ends a stream that has begun: the client comes back with its last id and is told why. */
function isEnd(error: unknown): boolean {
  return ENDS.some((kind) => error instanceof kind);
}

function idLine(cursor: string): string {
  return `id: ${cursor}\n`;
}

/** Several events in one chunk, as long as it is small. */
function* toChunks(texts: readonly EventText[]): Generator<string> {
  let chunk = '';
  for (const { message } of texts) {
    chunk += message;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
