import type { Transaction } from '../db/database.js';
import { readEpoch, readEvents, readKeptRanges } from '../db/events.js';
import { findStoreKey } from '../db/stores.js';
import { moveCursor } from '../db/webhooks/cursors.js';
import { parseDatetime } from '../domain/datetime.js';
import { decodeCursor } from '../domain/event/cursor.js';
import { shortInput, ValidationFailed, valueError } from '../domain/faults.js';
import { isResourceId } from '../domain/uuid.js';
import type { Endpoint } from '../domain/webhook/endpoint.js';
import type { WebhookReplay } from '../domain/webhook/shapes.js';

/** An event hardly waits longer than this for its number. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Moves the endpoint's cursor in a store: after the event of a cursor, before the first of a moment, to the end, or before
 * the oldest kept. Answers the store's number.
 */
export async function replayFrom(
  tx: Transaction,
  { id, merchantId }: Endpoint,
  { store_id: storeId, after }: WebhookReplay,
): Promise<number> {
  const storeKey = isResourceId(storeId) ? await findStoreKey(tx, merchantId, storeId) : undefined;
  if (storeKey === undefined) throw notToldOf(storeId);
  const [epoch, ranges] = [await readEpoch(tx), await readKeptRanges(tx, [storeKey])];
  const { first, last } = ranges.get(storeKey) ?? { first: 1, last: 0 };
  const kept = { epoch, storeKey, first, last };
  const moment = parseDatetime(after ?? '');
  const sequence = moment.ok ? await sequenceBefore(tx, moment.instant.ms, kept) : sequenceOf(after, kept);
  if (!(await moveCursor(tx, id, storeKey, sequence))) throw notToldOf(storeId);
  return storeKey;
}

function notToldOf(storeId: string): ValidationFailed {
  return new ValidationFailed([
    {
      loc: ['body', 'store_id'],
      msg: 'The webhook is not told of a store with this id',
      type: 'unresolved_reference',
      input: shortInput(storeId),
    },
  ]);
}

interface Kept {
  readonly epoch: string;
  readonly storeKey: number;
  readonly first: number;
  readonly last: number;
}

function sequenceOf(after: string | undefined, { epoch, storeKey, first, last }: Kept): number {
  if (after === undefined) return first - 1;
  if (after === 'now') return last;
  const cursor = decodeCursor(after);
  const isOurs = cursor?.of === 'store' && cursor.epoch === epoch && cursor.storeKey === storeKey;
  if (!isOurs || cursor.sequence > last)
    throw valueError(['body', 'after'], 'this is no cursor of an event of this store', after);
  if (cursor.sequence < first - 1) {
    const reason = 'the events after this cursor are no longer kept; leave it out to begin with the oldest';
    throw valueError(['body', 'after'], reason, after);
  }
  return cursor.sequence;
}

/**
 * The last event before a moment, found by halving. The events of a store have their numbers nearly in the order of their
 * times: one that had to wait has an earlier time than those around it. So a little more is sent rather than too little.
 */
async function sequenceBefore(
  tx: Transaction,
  moment: number,
  { storeKey, first, last }: Kept,
): Promise<number> {
  const from = moment - LONGEST_WAIT_MS;
  let [before, end] = [first - 1, last];
  while (before < end) {
    const middle = Math.ceil((before + end) / 2);
    const [event] = await readEvents(tx, storeKey, middle - 1, 1);
    if (event !== undefined && Date.parse(event.at) < from) before = middle;
    else end = middle - 1;
  }
  return before;
}
