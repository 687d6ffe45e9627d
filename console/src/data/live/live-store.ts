import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ManagedOrder, StoreEvent } from '#sdk';
import { client, may } from '../session.js';
import { isUnreachable } from '../../text/error-words.js';
import { now } from '../../ui/now.js';
import { knownStore } from '../stores.js';
import { followStore, type Listener } from './follow-store.js';
import { createOpenOrders } from './open-orders.js';
import { isForLater, reasonsFor, type BoardReason } from './reasons.js';

export const POLL_MS = 5_000;
const USUAL_PREP_MINUTES = 15;

/** A service that does not answer: since when, and when it is asked again. */
interface Away {
  readonly since: number;
  readonly nextTryAt: number;
}

type Orders = readonly ManagedOrder[];

/** A store as it is now, for every page of it: one stream of events, its open orders, and what in them is urgent. */
export interface LiveStore {
  /** By id; undefined until they have been read once. */
  readonly orders: ReadonlySignal<ReadonlyMap<string, ManagedOrder> | undefined>;
  readonly isLive: ReadonlySignal<boolean>;
  /** Since when nothing has been heard, once that is too long. */
  readonly quietSince: ReadonlySignal<number | undefined>;
  readonly away: ReadonlySignal<Away | undefined>;
  readonly error: ReadonlySignal<unknown>;
  readonly unaccepted: ReadonlySignal<Orders>;
  /** Not ready although they were promised for earlier. */
  readonly late: ReadonlySignal<Orders>;
  /** Why orders need someone now, by the id of the order. */
  readonly reasons: ReadonlySignal<ReadonlyMap<string, readonly BoardReason[]>>;
  /** Those that nobody has touched since they came or came to need someone. */
  readonly unseen: ReadonlySignal<Orders>;
  /** For another day: they lie apart until their day comes, or their preparation must begin. */
  readonly later: ReadonlySignal<Orders>;
  /** How long the kitchen usually takes. The pages that read the intake set it. */
  readonly prepMinutes: Signal<number>;
  readonly see: (orders: Orders) => void;
  readonly reload: () => Promise<void>;
  /** Reads one order that has just been changed. */
  readonly readAgain: (orderId: string) => Promise<void>;
  /** Tells of events, and of a beginning when what happened before is to be read; returns what ends it. */
  readonly listen: (listener: Listener) => () => void;
  readonly start: () => () => void;
}

/** Whether the open orders have been read, or cannot be. */
export function isAnswered({ orders, error, away }: LiveStore): boolean {
  return [orders, error, away].some(({ value }) => value !== undefined);
}

export function createLiveStore(storeId: string): LiveStore {
  const open = createOpenOrders(storeId);
  const listeners = new Set<Listener>();
  const isLive = signal(false);
  const quietSince = signal<number | undefined>(undefined);
  const away = signal<Away | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const attention = createAttention(storeId, open.orders, open.readAgain);

  const attempt = async (work: Promise<void>) => {
    try {
      await work;
      batch(() => {
        away.value = undefined;
        error.value = undefined;
      });
    } catch (reason) {
      if (reason instanceof DOMException && reason.name === 'AbortError') return;
      const since = away.value?.since ?? quietSince.value ?? Date.now();
      if (isUnreachable(reason)) away.value = { since, nextTryAt: Date.now() + POLL_MS };
      else error.value = reason;
    }
  };
  const reload = () => attempt(open.reload());

  const start = () => {
    void reload();
    const following = followStore(storeId, {
      onBegin: () => {
        void reload();
        for (const { onBegin } of listeners) onBegin();
      },
      onEvent: (event: StoreEvent) => {
        void attempt(open.takeIn(event));
        for (const { onEvent } of listeners) onEvent(event);
      },
    });
    let isFirst = true;
    const endings = [
      following.quietSince.subscribe((since) => (quietSince.value = since)),
      effect(() => {
        isLive.value = following.isLive.value;
        const isLost = !isLive.value && !isFirst;
        const isBack = isLive.value && (away.peek() ?? error.peek()) !== undefined;
        isFirst = false;
        // The stream goes on where it broke off; only what failed meanwhile is to be read again.
        if (isLost || isBack) void reload();
        return isLive.value ? undefined : repeat(reload, POLL_MS);
      }),
    ];
    return () => {
      for (const end of endings) end();
      following.stop();
    };
  };

  return {
    ...attention,
    orders: open.orders,
    isLive,
    quietSince,
    away,
    error,
    reload,
    readAgain: open.readAgain,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
  };
}

/** What in the open orders needs someone, and what of it has been seen. */
function createAttention(
  storeId: string,
  orders: LiveStore['orders'],
  readAgain: LiveStore['readAgain'],
): Pick<LiveStore, 'unaccepted' | 'late' | 'reasons' | 'unseen' | 'later' | 'prepMinutes' | 'see'> {
  const seenNew = signal<ReadonlySet<string>>(new Set());
  const seenReasons = signal<ReadonlySet<string>>(new Set());
  const all = computed(() => [...(orders.value?.values() ?? [])]);
  const unaccepted = computed(() => all.value.filter(({ status }) => status === 'PENDING'));
  const prepMinutes = signal(USUAL_PREP_MINUTES);
  const reasons = computed(() => {
    const settings = knownStore(storeId);
    const found = all.value.map((order) => {
      const why = reasonsFor(order, settings, prepMinutes.value, now.value);
      // Once the staff have seen that it is time to begin, the card is no longer red.
      const isTold = seenReasons.value.has(`${order.id} begin`);
      return [order.id, isTold ? why.filter((reason) => reason !== 'begin') : why] as const;
    });
    return new Map(found.filter(([, why]) => why.length > 0));
  });
  const later = computed(() => {
    const settings = knownStore(storeId);
    return all.value.filter((order) => isForLater(order, settings, prepMinutes.value, now.value));
  });
  const late = computed(() => all.value.filter(({ id }) => reasons.value.get(id)?.includes('late')));
  const keysOf = ({ id }: ManagedOrder) => (reasons.value.get(id) ?? []).map((reason) => `${id} ${reason}`);
  const unseen = computed(() =>
    all.value.filter((order) => {
      const isFresh = order.status === 'PENDING' && !order.is_read && !seenNew.value.has(order.id);
      return (
        (isFresh && !later.value.includes(order)) || keysOf(order).some((key) => !seenReasons.value.has(key))
      );
    }),
  );
  const see = (seen: Orders) => {
    const fresh = seen.filter(
      ({ id, status, is_read: isRead }) => status === 'PENDING' && !isRead && !seenNew.peek().has(id),
    );
    batch(() => {
      seenNew.value = new Set([...seenNew.value, ...fresh.map(({ id }) => id)]);
      seenReasons.value = new Set([...seenReasons.value, ...seen.flatMap(keysOf)]);
    });
    if (!may('orders:write')) return;
    // Other devices stop ringing with this; should it fail, they ring on, and no order is lost.
    for (const { id } of fresh)
      client
        .changeOrder(id, { is_read: true })
        .then(() => readAgain(id))
        .catch(() => undefined);
  };
  return { unaccepted, late, reasons, unseen, later, prepMinutes, see };
}

/** Again and again, each time so long after the last has ended; returns what ends it. */
function repeat(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: number | undefined;
  let isOver = false;
  const wait = () => {
    if (!isOver) timer = window.setTimeout(() => void work().then(wait), pauseMs);
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

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

/** Reads again at once whenever something happens that concerns it. */
export function useEvents(live: LiveStore, read: () => void, concerns: Concerns): void {
  useEffect(
    () =>
      live.listen({
        onBegin: read,
        onEvent: ({ data, type }) => {
          if (concerns(data, type)) read();
        },
      }),
    [live, read],
  );
}

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
