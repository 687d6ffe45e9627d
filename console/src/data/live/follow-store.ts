import { signal, type ReadonlySignal } from '@preact/signals';
import type { StoreEvent } from '#sdk';
import { client } from '../session.js';

export interface Following {
  /** Whether the stream is open and has been heard of late. */
  readonly isLive: ReadonlySignal<boolean>;
  /** Since when nothing has been heard, once that is too long. */
  readonly quietSince: ReadonlySignal<number | undefined>;
  readonly stop: () => void;
}

export interface Listener {
  /** Events come from this moment on: what happened before is to be read. */
  readonly onBegin: () => void;
  readonly onEvent: (event: StoreEvent) => void;
}

type Message =
  | { readonly is: 'begun' }
  | { readonly is: 'heard' }
  | { readonly is: 'lost' }
  | { readonly is: 'event'; readonly event: StoreEvent };

/** What tabs say to each other; one that comes late asks whether another is live. */
type Said = Message | { readonly is: 'asked' };

const QUIET_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_SECONDS = 5;

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
    isLive.value = message.is !== 'lost';
    if (message.is === 'lost') return;
    heardAt = Date.now();
    quietSince.value = undefined;
    if (message.is === 'begun') listener.onBegin();
    if (message.is === 'event') listener.onEvent(message.event);
  };
  const say = (said: Said) => channel.postMessage(said);
  const tell = (message: Message) => {
    if (stopping.signal.aborted) return;
    hear(message);
    say(message);
  };
  channel.onmessage = ({ data }) => {
    const said = data as Said;
    if (said.is !== 'asked') hear(said);
    else if (isLive.value) say({ is: 'heard' });
  };
  say({ is: 'asked' });

  const watch = setInterval(() => {
    if (Date.now() - heardAt <= QUIET_SECONDS * 1000) return;
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

async function holdStream(
  storeId: string,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { cursor } = await client.listStoreEvents(storeId, { after: 'now', limit: 1 }, { signal });
      tell({ is: 'begun' });
      const events = client.events({
        storeId,
        after: cursor,
        includeOrder: true,
        signal,
        longestSilenceSeconds: QUIET_SECONDS,
        longestPauseSeconds: LONGEST_PAUSE_SECONDS,
        onHeard: () => tell({ is: 'heard' }),
        onReconnect: () => tell({ is: 'lost' }),
      });
      for await (const event of events) tell({ is: 'event', event });
    } catch {
      // The client library recovers from what it can. For the rest (events that are no longer kept, a service that is not there
      // at the beginning) the way is to begin anew; that nothing is heard is what the page shows.
      tell({ is: 'lost' });
    }
    await new Promise((resolve) => setTimeout(resolve, LONGEST_PAUSE_SECONDS * 1000));
  }
}
