import { useEffect, useRef } from 'preact/hooks';
import type { StoreEvent } from '#sdk';
import { POLL_MS, type LiveStore } from './live-store.js';

interface Pace {
  /** Changes come in bursts; a page follows them at this distance, however many more there are. */
  readonly settleMs: number;
  /** How often it looks for itself while nothing can be heard. */
  readonly pollMs: number;
}

const AT_ONCE: Pace = { settleMs: 500, pollMs: POLL_MS };
/** For what nobody works with. */
export const AT_A_GLANCE: Pace = { settleMs: 3_000, pollMs: 15_000 };

type Concerns = (data: StoreEvent['data'], type: StoreEvent['type']) => boolean;

export const areOrders: Concerns = (data) => 'order_id' in data || 'created' in data;

/** Reads a page again when something happens that concerns it, and now and then while nothing can be heard. */
export function useChanges(
  live: LiveStore,
  read: () => void,
  concerns: Concerns,
  { settleMs, pollMs } = AT_ONCE,
): void {
  const latest = useRef({ read, concerns });
  latest.current = { read, concerns };
  useEffect(() => {
    let settling: number | undefined;
    const readSoon = () => {
      settling ??= window.setTimeout(() => {
        settling = undefined;
        latest.current.read();
      }, settleMs);
    };
    const stopListening = live.listen({
      onBegin: readSoon,
      onEvent: ({ data, type }) => {
        if (latest.current.concerns(data, type)) readSoon();
      },
    });
    const poll = setInterval(() => live.isLive.value || readSoon(), pollMs);
    return () => {
      clearTimeout(settling);
      clearInterval(poll);
      stopListening();
    };
  }, [live]);
}
