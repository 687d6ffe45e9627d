import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '../audit/audit.sql.js';
import { ARRIVING, REFUSING } from '../access/moving.js';
import { readClock } from '../access/api-key-lookup.sql.js';
import type { Database, SharedDatabase, Transaction } from '../postgres/database.js';
import { Conflict, NotFound, Overloaded } from '../support/errors.js';
import { lockMerchantAndStores } from './deletions.sql.js';
import {
  drawTransactions,
  findOverdueRefusals,
  haveEnded,
  readMove,
  setMove,
  type Move,
} from './moves.sql.js';

/** How a merchant's state is called outside. */
export type MoveState = 'here' | 'refusing' | 'arriving' | 'moved';

export function stateOf(moving: string | null): MoveState {
  if (moving === null) return 'here';
  return moving === REFUSING || moving === ARRIVING ? moving : 'moved';
}

export interface MoveChange {
  readonly state: 'here' | 'refusing' | 'moved';
  readonly seconds: number;
  readonly to: string | undefined;
  /** The end of the refusal during which the merchant was copied for the last time. */
  readonly until: string | undefined;
}

const HERE: Move = { moving: null, until: null, position: null };

const LONGEST_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 20;

/**
 * Moves a merchant on. When its writes begin to be refused, those that were under way have ended once this returns: they are in
 * every copy that is made from then on.
 */
export async function changeMove(db: SharedDatabase, merchantId: string, change: MoveChange): Promise<void> {
  const put = (wanted: MoveChange) =>
    db.transaction((tx) => putMove(tx, merchantId, (present) => nextMove(tx, present, wanted)));
  const moving = await put(change);
  if (moving !== REFUSING) return;
  const drawn = await drawTransactions(db);
  for (const giveUpAt = Date.now() + LONGEST_WAIT_MS; !(await haveEnded(db, drawn));) {
    if (Date.now() > giveUpAt) {
      await put({ ...change, state: 'here' });
      throw new Overloaded('A transaction in the database takes too long for a move. Try again later.');
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Where `decide` is undefined, nothing changes. */
async function putMove(
  tx: Transaction,
  id: string,
  decide: (present: Move) => Promise<Move> | Move | undefined,
): Promise<string | null> {
  const storeKeys = await lockMerchantAndStores(tx, id);
  const present = await readMove(tx, id);
  if (storeKeys === undefined || present === undefined) throw new NotFound('Merchant');
  const next = (await decide(present)) ?? present;
  if (next === present) return present.moving;
  await setMove(tx, { id, storeKeys }, next);
  await audit(tx, 'merchant.move_changed', {
    merchantId: id,
    subject: id,
    before: describe(present),
    after: describe(next),
    isOfMove: true,
  });
  return next.moving;
}

function describe({ moving }: Move): object {
  const state = stateOf(moving);
  return { state, to: state === 'moved' ? moving : undefined };
}

async function nextMove(tx: Transaction, { moving, until }: Move, change: MoveChange): Promise<Move> {
  const state = stateOf(moving);
  switch (change.state) {
    case 'here':
      return HERE;
    case 'refusing':
      if (state === 'here') {
        const now = await readClock(tx);
        return { ...HERE, moving: REFUSING, until: new Date(now.getTime() + change.seconds * 1_000) };
      }
      throw new Conflict(
        state === 'refusing'
          ? `The merchant is being moved already. Its writes are refused until ${until?.toISOString() ?? 'then'}.`
          : state === 'arriving'
            ? 'The merchant is still arriving here'
            : `The merchant has moved to ${moving ?? ''}`,
      );
    case 'moved':
      if (state !== 'refusing' || until?.toISOString() !== change.until)
        throw new Conflict('The writes of the merchant have not been refused all the time since then');
      return { ...HERE, moving: change.to ?? '' };
  }
}

/** Ends refusals whose time is up: the command that asked for them is gone, or took too long. */
export async function liftOverdueRefusals(db: Database): Promise<void> {
  for (const id of await findOverdueRefusals(db))
    await db.transaction(async (tx) => {
      const now = await readClock(tx);
      await putMove(tx, id, ({ moving, until }) =>
        moving === REFUSING && until !== null && until <= now ? HERE : undefined,
      );
    });
}
