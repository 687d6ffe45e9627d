import { signWebhook, type StoreEvent } from '#sdk';
import { InvalidArgumentError } from 'commander';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../../support/version.js';
import { checkedUrl, command, type CommandRow, REQUIRED } from '../lib/command.js';
import { CommandFailed, EXIT, UsageError } from '../lib/errors.js';
import { paint, type Terminal, writeInTime } from '../lib/terminal.js';
import { toPlain } from '../lib/text.js';
import { FOLLOW, follow, gistOf } from './events.js';

export const LISTEN_ROWS: readonly CommandRow[] = [
  command(
    'listen',
    'forward events to a local receiver as signed webhooks until Ctrl-C; needs no public address',
    {
      flags: [
        [
          '--forward-to <url>',
          'address of the receiver, such as http://127.0.0.1:3000/hooks',
          undefined,
          REQUIRED,
        ],
        ...FOLLOW,
        ['--include-order', 'include the order in order events'],
        ['--secret <whsec>', 'signing secret (default: a new one)', checkedSecret],
      ],
      run: async ({ client, out, terminal }, given) => {
        const url = receiverUrl(given.forwardTo);
        const events = follow(client, out, given);
        const secret = given.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
        const write = (line: string) => writeInTime(terminal.stdout, `${line}\n`);
        if (out.isJson) await write(JSON.stringify({ forward_to: url, secret }));
        else out.note(`Forwarding to ${url}. Verify with the secret ${secret}`);
        let [forwarded, failed] = [0, 0];
        for await (const event of events) {
          const outcome = await forward(event, { url, secret }, (failure, seconds) =>
            out.note(`${event.type} ${event.id}: ${resultOf(failure)}; retrying in ${seconds} s.`),
          );
          await write(out.isJson ? JSON.stringify(outcome) : toLine(terminal, event, outcome));
          forwarded += 1;
          if (outcome.error !== undefined) failed += 1;
          if (forwarded === given.count) break;
        }
        if (failed > 0)
          throw new CommandFailed(EXIT.failed, `The receiver rejected ${failed} of ${forwarded} events.`);
      },
    },
  ),
];

function toLine(terminal: Terminal, event: StoreEvent, outcome: Forwarded): string {
  const { timestamp, type } = event;
  const [time = '', name = '', result = '', ...others] = [
    timestamp,
    type,
    resultOf(outcome),
    `${outcome.latency_ms} ms`,
    gistOf(event),
  ].map(toPlain);
  if (!terminal.isForPeople) return [time, name, result, ...others].join('\t');
  const painted = paint(terminal, outcome.error === undefined ? 'green' : 'red', result);
  return [paint(terminal, 'dim', time), paint(terminal, 'bold', name), painted, ...others].join('  ');
}

function resultOf({ status, error }: Forwarded): string {
  return status === undefined ? (error ?? '') : String(status);
}

function receiverUrl(given: string): string {
  const { href, username, password } = new URL(checkedUrl(given));
  if (username === '' && password === '') return href;
  throw new UsageError('The address of the receiver must not contain a user name or password.');
}

function checkedSecret(given: string): string {
  if (/^whsec_(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(given)) return given;
  throw new InvalidArgumentError('Expected whsec_ followed by base64.');
}

const REQUEST_MS = 15_000;
/** Pauses between attempts. After the last attempt the next event is sent, so that a broken receiver does not block the rest. */
const PAUSES_SECONDS = [1, 2, 4];

/** The outcome for one event, with the field names of deliveries. */
interface Forwarded {
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

/** Sends an event as the service sends webhooks, with a few retries. */
async function forward(
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
    const response = await fetch(url, {
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
    // Only the status matters, and the body may never end.
    await response.body?.cancel();
    const error = response.ok ? {} : { error: 'not taken' };
    return { status: response.status, ...error, latency_ms: took() };
  } catch (error) {
    return { error: reasonOf(error), latency_ms: took() };
  }
}

/** fetch only says "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as NodeJS.ErrnoException;
  return code ?? cause.message;
}
