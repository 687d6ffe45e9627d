import { randomUUID } from 'node:crypto';
import { settleDueStock } from '../menus/stock/settle.js';
import { chooseCounterShard } from '../orders/list/counts.sql.js';
import { foldSales } from '../orders/sales/fold.sql.js';
import { raiseDueAttention } from '../orders/attention/attention.js';
import type { Database } from '../postgres/database.js';
import { watchPrinters } from '../printers/watch.js';
import { repeatEvery } from './repeat.js';
import { liftOverdueRefusals } from './moves.js';
import { takeTurn } from './upkeep-leases.sql.js';

/** What is due is done within five seconds, on a busy machine too. */
const TICK_MS = 2_000;
/** Shorter than a tick, or one process alone would find its own turn not over yet. */
const TURN_MS = 1_500;
const FOLD_TRIES_MS = 10 * 60_000;
/** Sales are folded once a day. */
const FOLD_TURN_MS = 86_000_000;

/**
 * Does what is due by the clock, and `others`. Every process has a clock, so that none of them has to be the one that lives.
 * They take turns to look for due orders and stock, because on a cluster each look asks every shard.
 */
export function startClock(
  db: Database,
  others: readonly (() => Promise<void>)[],
  onFailure: (error: unknown) => void,
): () => void {
  let hasEnded = false;
  // What is under way when the service ends may fail: the next process does it.
  const report = (error: unknown) => {
    if (!hasEnded) onFailure(error);
  };
  const counterShard = chooseCounterShard();
  const holder = randomUUID();
  // Attention first: an order that it rejects gives back what it has taken of counted items.
  const settle = async () => {
    if (!(await takeTurn(db, { work: 'clock', holder, everyMs: TURN_MS }))) return;
    await raiseDueAttention(db, counterShard).catch(report);
    await settleDueStock(db).catch(report);
    await liftOverdueRefusals(db).catch(report);
    await watchPrinters(db);
  };
  const fold = async () => {
    if (await takeTurn(db, { work: 'sales', holder, everyMs: FOLD_TURN_MS })) await foldSales(db);
  };
  // Each by itself: a long publication keeps no order waiting.
  const ends = [
    ...[settle, ...others].map((task) => repeatEvery(TICK_MS, task, report)),
    repeatEvery(FOLD_TRIES_MS, fold, report),
  ];
  return () => {
    hasEnded = true;
    for (const end of ends) end();
  };
}
