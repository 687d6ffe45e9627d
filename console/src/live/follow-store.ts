import { signal, type ReadonlySignal } from '@preact/signals';
import { NotFoundError, type Order } from '#sdk';
import { client } from '../client.js';
import { readEvents } from './read-events.js';

/** An event as the stream sends it; the order comes as it is at that moment. */
export interface StoreEvent {
  readonly type: string;
  readonly data: { readonly order?: LiveOrder };
}

export type LiveOrder = Order & { readonly external_id?: string; readonly revision?: number };

export interface Following {
  /** Whether the stream is open and has been heard of late. */
  readonly isLive: ReadonlySignal<boolean>;
  /** Since when nothing has been heard, once that is too long. */
  readonly quietSince: ReadonlySignal<number | undefined>;
  readonly stop: () => void;
}

export interface Listener {
  /** The stream has begun, or begun anew: what happened before is to be read. */
  readonly onConnect: () => void;
  readonly onEvent: (event: StoreEvent) => void;
}

type Message =
  | { readonly is: 'connected' }
  | { readonly is: 'alive' }
  | { readonly is: 'event'; readonly event: StoreEvent };

const QUIET_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const NO_STREAM_PAUSE_MS = 60_000;

/**
 * Listens to the events of a store. A browser opens at most six connections to a service, so of all tabs that follow the
 * same store one holds the stream and tells the others; when it goes, the next takes over. Where the browser has no
 * locks (a page that came over plain HTTP from another machine), each tab holds its own.
 */
export function followStore(storeId: string, listener: Listener): Following {
  const isLive = signal(false);
  const quietSince = signal<number | undefined>(undefined);
  const stopping = new AbortController();
  const channel = new BroadcastChannel(`comanda-live-${storeId}`);
  let heardAt = Date.now();

  const hear = (message: Message) => {
    heardAt = Date.now();
    isLive.value = true;
    quietSince.value = undefined;
    if (message.is === 'connected') listener.onConnect();
    if (message.is === 'event') listener.onEvent(message.event);
  };
  const tell = (message: Message) => {
    hear(message);
    channel.postMessage(message);
  };
  channel.onmessage = ({ data }) => hear(data as Message);

  const watch = setInterval(() => {
    if (Date.now() - heardAt <= QUIET_MS) return;
    isLive.value = false;
    quietSince.value = heardAt;
  }, LOOK_EVERY_MS);

  void takeTurn(`comanda-live-${storeId}`, stopping.signal, () => holdStream(storeId, tell, stopping.signal));

  return {
    isLive,
    quietSince,
    stop: () => {
      stopping.abort();
      clearInterval(watch);
      channel.close();
    },
  };
}

async function takeTurn(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  // Typed as always there, but browsers leave it out of pages that are not secure.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return run();
  await locks.request(name, { signal }, run).catch(() => undefined);
}

/** Keeps the stream open; whenever it breaks, opens another after a moment. */
async function holdStream(
  storeId: string,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  let pause = SHORTEST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      const { body } = await client.request({
        path: `/manage/v1/stores/${storeId}/events/stream?include=order`,
        headers: { accept: 'text/event-stream' },
        answer: 'bytes',
        signal,
      });
      pause = SHORTEST_PAUSE_MS;
      tell({ is: 'connected' });
      await readEvents(body as ReadableStream<Uint8Array>, {
        onLife: () => tell({ is: 'alive' }),
        onEvent: (text) => tell({ is: 'event', event: JSON.parse(text) as StoreEvent }),
      });
    } catch (error) {
      // Whatever broke it, the answer is the same: try again. Silence is what the page shows. Only where the service has
      // no stream is there no hurry.
      if (error instanceof NotFoundError) pause = NO_STREAM_PAUSE_MS;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.7 + Math.random() * 0.6)));
    pause = Math.min(Math.max(pause, SHORTEST_PAUSE_MS) * 2, LONGEST_PAUSE_MS);
  }
}
