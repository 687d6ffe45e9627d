import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import { newEvent } from '../events/event.js';
import { appendEvents } from '../events/events.sql.js';
import type { SharedDatabase, Transaction } from '../postgres/database.js';
import { getPrinter, updatePrinter, type StoredPrinter } from './printers.sql.js';
import { readBehind } from './queue.js';
import type { PrinterState, Trouble } from './shapes.js';

/** Seen this lately, a printer is online; its polls are written down less often than that. */
export const ONLINE_MS = 60_000;
const NOTE_EVERY_MS = 20_000;

/** Notes what a printer says about itself, if that is new or the last note is old. */
export async function noteState(
  db: SharedDatabase,
  { storeKey }: Pick<RequestedStore, 'storeKey'>,
  printer: StoredPrinter,
  state: PrinterState,
  notePoll: (code: string) => void,
): Promise<void> {
  const { paper, cover } = state;
  const { last_poll_at: last } = printer;
  const trouble = troubleOf(state);
  if (printer.paper === paper && printer.cover === cover && printer.trouble === trouble) {
    if (last === null || Date.now() - last.getTime() >= NOTE_EVERY_MS) notePoll(printer.code);
    return;
  }
  await db.transaction(async (tx) => {
    const now = await getPrinter(tx, storeKey, printer.id, true);
    if (now === undefined) return;
    const noted = { paper, cover, trouble, last_poll_at: new Date() };
    await updatePrinter(tx, storeKey, printer.id, noted);
    await tellTrouble(tx, storeKey, now, trouble);
  });
}

function troubleOf({ paper, cover, hasFailed }: PrinterState): Trouble | null {
  if (paper === 'out') return 'paper_out';
  if (cover === 'open') return 'cover_open';
  return hasFailed ? 'error' : null;
}

/** Must be the last thing of its transaction, like every event. */
export async function tellTrouble(
  tx: Transaction,
  storeKey: number,
  before: StoredPrinter,
  trouble: Trouble | null,
): Promise<void> {
  if (trouble === before.trouble) return;
  const { behind } = await readBehind(tx, { printer: before, store: { storeKey } });
  const data = { printer_id: before.id, trouble: trouble ?? undefined, behind };
  const type = trouble === null ? 'printer.recovered' : 'printer.trouble';
  await appendEvents(tx, storeKey, [newEvent(type, { keyId: null, at: new Date().toISOString() }, data)]);
}
