import { signWebhook, type StoreEvent } from '#sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../version.js';

const REQUEST_MS = 15_000;
/** Between one try and the next; after the last the next event has its turn, so that a broken receiver can be worked on. */
const PAUSES_SECONDS = [1, 2, 4];

/** What came of one event, with the names that deliveries have. */
export interface Forwarded {
  readonly event_id: string;
  readonly type: string;
  readonly store_id: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly status?: number;
  readonly error?: string;
  readonly latency_ms: number;
}

interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/** Sends an event as the service sends webhooks, a few times if need be. */
export async function forward(
  event: StoreEvent,
  receiver: Receiver,
  onFailure: (outcome: Forwarded, seconds: number) => void,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  for (let attempt = 1; ; attempt += 1) {
    const sent = await send(body, event.id, receiver);
    const { id, type, store_id: storeId, sequence } = event;
    const outcome = { event_id: id, type, store_id: storeId, sequence, attempt, ...sent };
    const seconds = PAUSES_SECONDS[attempt - 1];
    if (outcome.error === undefined || seconds === undefined) return outcome;
    onFailure(outcome, seconds);
    await delay(seconds * 1000);
  }
}

async function send(
  body: string,
  id: string,
  { url, secret }: Receiver,
): Promise<Pick<Forwarded, 'status' | 'error' | 'latency_ms'>> {
  const since = performance.now();
  const took = () => Math.round(performance.now() - since);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': `Comanda/${version}`,
        ...(await signWebhook(body, { id, timestamp: new Date(), secret })),
      },
      body,
    });
    // A receiver may answer without end; the status has come.
    await answer.body?.cancel();
    const error = answer.ok ? {} : { error: 'not taken' };
    return { status: answer.status, ...error, latency_ms: took() };
  } catch (error) {
    return { error: reasonOf(error), latency_ms: took() };
  }
}

/** fetch says only "fetch failed" and hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as NodeJS.ErrnoException;
  return code ?? cause.message;
}
