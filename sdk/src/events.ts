import type { ByteStream } from './call.js';
import { ApiError, ComandaError, ConnectionError, TimeoutError } from './errors.js';
import type { StoreEvent, StoreEventType } from './event-types.js';
import { wait } from './retry.js';
import { readMessages } from './sse.js';
import type { Send } from './transport.js';

export interface EventsOptions {
  /** Only events of this store. Default: all stores that the key may see. */
  readonly storeId?: string | undefined;
  /** The cursor of the last event that you have processed, or `start` for the oldest kept event. Default: `now`. */
  readonly after?: string | undefined;
  /** Only these types. */
  readonly types?: readonly StoreEventType[] | undefined;
  /** Adds the order, in its current state, to each order event. */
  readonly includeOrder?: boolean | undefined;
  /** Ends the iteration, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds without any data, not even a comment, after which the client reconnects. Default: 45. */
  readonly longestSilenceSeconds?: number | undefined;
  /** Longest pause before a reconnect, in seconds. Default: 30. */
  readonly longestPauseSeconds?: number | undefined;
  /** Called for everything that arrives on the stream, even a comment. */
  readonly onHeard?: (() => void) | undefined;
  /** Called when the connection is lost, with the seconds until the next attempt. */
  readonly onReconnect?: ((reason: Error, seconds: number) => void) | undefined;
}

interface Page {
  readonly events: readonly StoreEvent[];
  readonly cursor: string;
}

const PAGE_SIZE = 1000;
const FIRST_WAIT_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 30;
/** The service sends at least a comment every 15 seconds. If three are missing, the connection is dead. */
const LONGEST_SILENCE_SECONDS = 45;

/**
 * Yields every event after a cursor, in order, without gaps or duplicates. Reads the live stream and, if it breaks,
 * resumes after the last event read. Ends only with a permanent error.
 */
export async function* iterateEvents(send: Send, options: EventsOptions): AsyncGenerator<StoreEvent> {
  // Everything starts from a cursor, so that a connection that breaks before the first event loses nothing.
  let cursor = options.after ?? 'now';
  let failures = 0;
  for (;;) {
    try {
      if (cursor === 'now' || cursor === 'start') {
        const page = await readPage(send, options, cursor);
        yield* page.events;
        ({ cursor } = page);
      }
      for await (const message of readStream(send, options, cursor)) {
        failures = 0;
        if (message.event !== undefined) yield message.event;
        ({ cursor } = message);
      }
      throw new ConnectionError('The service closed the stream');
    } catch (error) {
      if (options.signal?.aborted === true) throw options.signal.reason;
      if (!mayPass(error)) throw error;
      failures += 1;
      const seconds = secondsBeforeRetry(error, failures, options.longestPauseSeconds);
      options.onReconnect?.(error, seconds);
      await wait(seconds, options.signal);
    }
  }
}

/** Whether a retry may help: the service is unreachable, busy or broken, and the request itself is valid. */
function mayPass(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || [408, 425, 429].includes(error.status);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function secondsBeforeRetry(reason: Error, failures: number, longest = LONGEST_PAUSE_SECONDS): number {
  const asked = reason instanceof ApiError ? (reason.retryAfterSeconds ?? 0) : 0;
  const growing = FIRST_WAIT_SECONDS * 2 ** Math.min(failures - 1, 10);
  // Half fixed, half by chance, so that clients that were cut off together do not come back together.
  return Math.min(Math.max(growing, asked), longest) * (0.5 + Math.random() / 2);
}

async function readPage(send: Send, options: EventsOptions, after: 'now' | 'start'): Promise<Page> {
  const query = after === 'now' ? { after, limit: 1 } : { limit: PAGE_SIZE };
  const path = pathOf(options, '', query);
  const { body } = await send({ method: 'GET', path, answer: 'json', options: { signal: options.signal } });
  const { events, cursor } = (body ?? {}) as Partial<Page>;
  if (!Array.isArray(events) || typeof cursor !== 'string')
    throw new ComandaError('The response is not a page of events; check the base URL');
  return { events: events as StoreEvent[], cursor };
}

interface Received {
  readonly cursor: string;
  /** Missing if the service only reports its current cursor. */
  readonly event?: StoreEvent;
}

async function* readStream(send: Send, options: EventsOptions, cursor: string): AsyncGenerator<Received> {
  const { signal, longestSilenceSeconds = LONGEST_SILENCE_SECONDS, onHeard } = options;
  const silence = new AbortController();
  const silent = new TimeoutError(`The stream was silent for ${longestSilenceSeconds} s`);
  const listen = async <T>(step: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => silence.abort(silent), longestSilenceSeconds * 1000);
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  };
  const either = signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]);
  const headers = { accept: 'text/event-stream', 'last-event-id': cursor };
  const path = pathOf(options, '/stream', {});
  const answer = await listen(
    send({ method: 'GET', path, answer: 'bytes', options: { headers, signal: either } }),
  );
  const bytes = answer.body as ByteStream;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    await bytes.cancel();
    throw new ComandaError('The response is not a stream of events; check the base URL');
  }
  // A proxy may hold a response back after its headers, so only the body counts as a sign of life.
  const hear = async <T>(step: Promise<T>): Promise<T> => {
    const heard = await listen(step);
    onHeard?.();
    return heard;
  };
  for await (const { id, data } of readMessages(bytes, hear))
    yield data === '' ? { cursor: id } : { cursor: id, event: parseEvent(data) };
}

function parseEvent(data: string): StoreEvent {
  try {
    return JSON.parse(data) as StoreEvent;
  } catch (error) {
    throw new ComandaError('An event in the stream is not JSON; check the base URL', { cause: error });
  }
}

function pathOf(
  { storeId, types, includeOrder }: EventsOptions,
  end: string,
  query: Record<string, string | number>,
): string {
  const parameters = new URLSearchParams();
  if (types !== undefined) parameters.set('types', types.join(','));
  if (includeOrder === true) parameters.set('include', 'order');
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const store = storeId === undefined ? '' : `/stores/${encodeURIComponent(storeId)}`;
  return `/manage/v1${store}/events${end}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
}
