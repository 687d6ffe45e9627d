import { useEffect, useRef } from 'preact/hooks';
import type { StoreEvent } from '#sdk';
import { POLL_MS, type LiveStore } from './live-store.js';

/** Changes come in bursts; a page follows them at this distance, however many more there are. */
const SETTLE_MS = 500;

/** Reads a page again when something happens that concerns it, and now and then while nothing can be heard. */
export function useChanges(
  live: LiveStore,
  read: () => void,
  concerns: (data: StoreEvent['data'], type: StoreEvent['type']) => boolean,
): void {
  const latest = useRef({ read, concerns });
  latest.current = { read, concerns };
  useEffect(() => {
    let settling: number | undefined;
    const readSoon = () => {
      settling ??= window.setTimeout(() => {
        settling = undefined;
        latest.current.read();
      }, SETTLE_MS);
    };
    const stopListening = live.listen({
      onBegin: readSoon,
      onEvent: ({ data, type }) => {
        if (latest.current.concerns(data, type)) readSoon();
      },
    });
    const poll = setInterval(() => live.isLive.value || readSoon(), POLL_MS);
    return () => {
      clearTimeout(settling);
      clearInterval(poll);
      stopListening();
    };
  }, [live]);
}
