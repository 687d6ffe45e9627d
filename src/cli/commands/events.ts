import type { StoreEvent, StoreEventType } from '#sdk';
import type { Command } from 'commander';
import { toWholeNumber } from '../arguments.js';
import { gistOf, typeOption } from '../event-gist.js';
import { toPlain, toSafeJson } from '../plain-text.js';
import { setAction } from '../command-context.js';
import { findStoreId } from '../store-argument.js';
import { paint, writeInTime, type Terminal } from '../terminal.js';

interface TailFlags {
  readonly store?: string;
  readonly type?: StoreEventType[];
  readonly after?: string;
  readonly count?: number;
}

export function addEventCommands(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('what happens in the stores');
  const tail = events
    .command('tail')
    .description('show events as they happen, until Ctrl-C; goes on by itself when the connection breaks')
    .option('--store <store>', 'only those of one store: its id or external_id')
    .addOption(typeOption())
    .option('--after <cursor>', 'from there on; start for the oldest that is kept')
    .option('--count <number>', 'end after so many', toWholeNumber);
  setAction(tail, terminal, async ({ connect, out }, flags: TailFlags) => {
    const client = await connect();
    const storeId = flags.store === undefined ? undefined : await findStoreId(client, flags.store);
    let shown = 0;
    const wanted = client.events({
      storeId,
      types: flags.type,
      after: flags.after,
      onReconnect: ({ message }, seconds) => out.note(`${message}; again in ${Math.ceil(seconds)} s.`),
    });
    for await (const event of wanted) {
      await writeInTime(terminal.stdout, `${out.isJson ? toSafeJson(event) : toLine(terminal, event)}\n`);
      shown += 1;
      if (shown === flags.count) break;
    }
  });
}

/** For people what matters most; for programs all of it, tab-separated. */
function toLine(terminal: Terminal, event: StoreEvent): string {
  const [time = '', type = '', gist = '', ...others] = [
    event.timestamp,
    event.type,
    gistOf(event),
    event.store_id,
    String(event.sequence),
  ].map(toPlain);
  if (!terminal.isForPeople) return [time, type, gist, ...others].join('\t');
  return `${paint(terminal, 'dim', time)}  ${paint(terminal, 'bold', type)}  ${gist}`;
}
