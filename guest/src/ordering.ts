import { batch, computed, effect, signal } from '@preact/signals';
import {
  askQuote,
  Refused,
  sendOrder,
  type ErrorDetail,
  type Line,
  type OrderRequest,
  type Quote,
  type Total,
} from './api.js';
import { gross, lines, orderLines, takeSent, total as computedTotal, type BasketLine } from './basket.js';
import { modifierAt } from './choices.js';
import { forgetComments } from './contact.js';
import { keptSignal } from './kept.js';
import { t, textOf } from './language.js';
import { rememberOrder } from './orders.js';
import { code, findItem, isOpen, pickTime, place, readyBy, refresh, time } from './place.js';
import { randomId } from './random-id.js';
import { explain, isPassing, type Refusal } from './refusal.js';

/** From the basket to an order: what it comes to, sending it, and sending it again until there is an answer. */

/** An order that has been sent and not been answered. The same key makes it one order, however often it is sent. */
interface Pending {
  readonly key: string;
  readonly body: OrderRequest;
  /** The lines of the basket that it is made of, as they were then. */
  readonly lines: readonly BasketLine[];
  readonly at: number;
}

interface Quoted {
  readonly asked: string;
  readonly total: Total;
  readonly readyBy: string | undefined;
  /** What the kitchen promised anyone then. */
  readonly earliest: string | undefined;
}

export const refusal = signal<Refusal | undefined>(undefined);
const pending = keptSignal<Pending | undefined>(`comanda-pending-${code}`, undefined);
/** `unsure`: nobody knows whether the last try has arrived. */
export const sending = signal<'no' | 'sending' | 'unsure' | 'unsure_long'>('no');

/** What the service says of the basket as it is, by what was asked. */
const quoted = signal<Quoted | undefined>(undefined);
/** The basket, and what else a quote depends on. */
const asked = computed(() =>
  JSON.stringify([orderLines.value, readyBy.value, computedTotal.value, place.value?.intake.state]),
);
const quote = computed(() => (quoted.value?.asked === asked.value ? quoted.value : undefined));

const earliest = computed(() => place.value?.intake.ready_by);
/** Promises move with the clock: the guest sees the last one until the new one is there. */
const isFresh = computed(() => quote.value !== undefined && quote.value.earliest === earliest.value);

/** What the guest sees, and what the order is sent with. */
export const total = computed((): Total => quote.value?.total ?? computedTotal.value);
export const promised = computed(() => quote.value?.readyBy);

const basket = computed(() => basketKey(orderLines.value, readyBy.value));
const moved = signal<{ readonly basket: string; readonly total: Total } | undefined>(undefined);
/** Prices have moved since the guest tapped: the new total, as long as it is the total of the same basket. */
export const movedTotal = computed(() =>
  moved.value?.basket === basket.value && gross(moved.value.total) === gross(total.value)
    ? moved.value.total
    : undefined,
);

const QUOTE_AFTER_MS = 300;

/** Asks for a quote whenever the basket, the menu or what is promised has changed; until the function that comes back is called. */
export function keepQuoting(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const about = [asked.value, earliest.value] as const;
    clearTimeout(timer);
    if (!isFresh.value && orderLines.value.length > 0 && isOpen.value && sending.value === 'no')
      timer = setTimeout(() => void askAbout(...about), QUOTE_AFTER_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

async function askAbout(about: string, since: string | undefined): Promise<void> {
  try {
    const answer = await askQuote(code, orderLines.value, readyBy.value);
    if (about !== asked.value || isFresh.value) return;
    batch(() => {
      quoted.value = toQuoted(about, since, answer);
      refusal.value = undefined;
    });
  } catch (error) {
    if (!(error instanceof Refused) || about !== asked.value || isPassing(error)) return;
    batch(() => {
      quoted.value = undefined;
      refusal.value = toRefusal(error);
    });
  }
}

function basketKey(items: readonly Line[], at: string | undefined): string {
  return JSON.stringify([items, at]);
}

function toQuoted(about: string, since: string | undefined, { price, tax, ready_by: ready }: Quote): Quoted {
  return { asked: about, total: { price, tax }, readyBy: ready, earliest: since };
}

function toRefusal(refused: Refused): Refusal {
  return explain(refused, nameOfModifier);
}

function nameOfModifier({ loc }: ErrorDetail): string | undefined {
  const line = orderLines.value[Number(loc[2])];
  const item = line && findItem(line.external_id);
  const modifier = item && modifierAt(item, line.modifiers, loc.slice(3), findItem);
  return modifier && textOf(modifier.name);
}

/** Sends what the guest sees. A second tap, also in another tab, finds it on its way. */
export async function placeOrder(
  details: Omit<OrderRequest, 'items' | 'expected_total' | 'ready_by'>,
): Promise<void> {
  if (sending.value !== 'no') return;
  if (pending.value !== undefined) return resumePending();
  const body = {
    items: orderLines.value,
    ...details,
    ...(readyBy.value === undefined ? {} : { ready_by: readyBy.value }),
    expected_total: total.value,
  };
  const order = { key: randomId(), body, lines: lines.value, at: Date.now() };
  if (readyBy.value === undefined && !isFresh.value && (await isMuchLater())) return;
  refusal.value = undefined;
  moved.value = undefined;
  // Another tab may have been faster.
  pending.value ??= order;
  await sendPending(false);
}

const LONGEST_WAIT_MS = 5_000;
const MUCH_LATER_MS = 60 * 60_000;

/** Asks what is promised now. If that is much later than the guest thinks, as after the last order of the day, it is said first. */
async function isMuchLater(): Promise<boolean> {
  const expected = promised.value === undefined ? Date.now() : Date.parse(promised.value);
  sending.value = 'sending';
  await Promise.race([askAbout(asked.value, earliest.value), waitFor(LONGEST_WAIT_MS)]);
  sending.value = 'no';
  const { value: nextAt } = promised;
  if (nextAt === undefined || Date.parse(nextAt) <= expected + MUCH_LATER_MS) return false;
  refusal.value = { message: t('next_time', { time: time(nextAt) }), ofLines: {}, nextAt };
  return true;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** After this nobody may want it any more: it is sent only if the guest says so. */
const GIVE_UP_MS = 10 * 60_000;

let isTrying = false;

/** Sends the order that waits for an answer until there is one. One that was sent before may have been taken. */
async function sendPending(wasSent: boolean): Promise<void> {
  if (isTrying) return;
  isTrying = true;
  let isRepeated = wasSent;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const order = pending.value;
      // Another tab has its answer.
      if (order === undefined) {
        sending.value = 'no';
        return;
      }
      sending.value = sending.value === 'unsure' ? 'unsure' : 'sending';
      if (await isAnswered(order, isRepeated)) return;
      isRepeated = true;
      sending.value = 'unsure';
      await waitFor(pause);
      if (Date.now() - order.at > GIVE_UP_MS) {
        sending.value = 'unsure_long';
        return;
      }
    }
  } finally {
    isTrying = false;
  }
}

/** "Too many requests" says nothing of an order that was sent before. */
async function isAnswered({ key, body, lines: sent }: Pending, isRepeated: boolean): Promise<boolean> {
  try {
    const order = await sendOrder(code, key, body);
    batch(() => {
      rememberOrder(order);
      pending.value = undefined;
      void pickTime(undefined);
      sending.value = 'no';
      takeSent(sent);
      forgetComments();
    });
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || isPassing(error)) return false;
    if (isRepeated && error.status === 429) return false;
    const changed = error.status === 409 ? error.quote : undefined;
    batch(() => {
      pending.value = undefined;
      sending.value = 'no';
      if (changed === undefined) refusal.value = toRefusal(error);
      else {
        const { price, tax } = changed;
        moved.value = { basket: basketKey(body.items, body.ready_by), total: { price, tax } };
        if (moved.value.basket === basket.value)
          quoted.value = toQuoted(asked.value, earliest.value, changed);
      }
    });
    void refresh();
    return true;
  }
}

/** Until then, or until the browser is online again. */
function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}

/** After a reload: an order that was on its way is sent again, unless that was long ago. */
export function resumePending(): void {
  const order = pending.value;
  if (order === undefined) return;
  if (Date.now() - order.at > GIVE_UP_MS) sending.value = 'unsure_long';
  else void sendPending(true);
}

export function sendAgain(): void {
  if (pending.value !== undefined) pending.value = { ...pending.value, at: Date.now() };
  void sendPending(true);
}

export function giveUp(): void {
  batch(() => {
    pending.value = undefined;
    sending.value = 'no';
  });
}
