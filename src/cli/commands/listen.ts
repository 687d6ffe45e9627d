import type { StoreEvent, StoreEventType } from '#sdk';
import { InvalidArgumentError, type Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { toWholeNumber } from '../arguments.js';
import { gistOf, typeOption } from '../event-gist.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { forward, type Forwarded } from '../forward-event.js';
import { toPlain, toSafeJson } from '../plain-text.js';
import { checkedUrl, setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import { paint, writeInTime, type Terminal } from '../terminal.js';

interface ListenFlags {
  readonly forwardTo: string;
  readonly store?: string;
  readonly type?: StoreEventType[];
  readonly after?: string;
  readonly includeOrder?: true;
  readonly secret?: string;
  readonly count?: number;
}

export function addListenCommand(program: Command, terminal: Terminal): void {
  const listen = program
    .command('listen')
    .description('send events to this machine as signed webhooks, without a public address, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where the receiver listens, such as http://127.0.0.1:3000/hooks')
    .option('--store <store>', 'only those of one store: its id or external_id')
    .addOption(typeOption())
    .option('--after <cursor>', 'from there on; start for the oldest that is kept')
    .option('--include-order', 'events of an order bring the order')
    .option('--secret <whsec>', 'the secret to sign with; a new one unless told', checkedSecret)
    .option('--count <number>', 'end after so many events', toWholeNumber);
  setAction(listen, terminal, async ({ connect, out }, flags: ListenFlags) => {
    const url = receiverUrl(flags.forwardTo);
    const client = await connect();
    const storeId = flags.store === undefined ? undefined : await findStoreId(client, flags.store);
    const secret = flags.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
    const write = (line: string) => writeInTime(terminal.stdout, `${line}\n`);
    if (out.isJson) await write(toSafeJson({ forward_to: url, secret }));
    else out.note(`Forwarding to ${url}. Verify with the secret ${secret}`);
    const wanted = client.events({
      storeId,
      types: flags.type,
      after: flags.after,
      includeOrder: flags.includeOrder,
      onReconnect: ({ message }, seconds) => out.note(`${message}; again in ${Math.ceil(seconds)} s.`),
    });
    let [forwarded, failed] = [0, 0];
    for await (const event of wanted) {
      const outcome = await forward(event, { url, secret }, (failure, seconds) =>
        out.note(`${event.type} ${event.id}: ${resultOf(failure)}; again in ${seconds} s.`),
      );
      await write(out.isJson ? toSafeJson(outcome) : toLine(terminal, event, outcome));
      forwarded += 1;
      if (outcome.error !== undefined) failed += 1;
      if (forwarded === flags.count) break;
    }
    if (failed > 0) throw new CommandFailed(EXIT.failed, `${failed} of ${forwarded} events were not taken.`);
  });
}

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
  throw new CommandFailed(EXIT.usage, 'The address of the receiver should have no user name and password.');
}

function checkedSecret(given: string): string {
  if (/^whsec_(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(given)) return given;
  throw new InvalidArgumentError('It should be whsec_ and then base64.');
}
