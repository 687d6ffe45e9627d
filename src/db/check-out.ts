import type pg from 'pg';
import type { Slots } from '../domain/slots.js';
import { isConnectionLoss, isSilence } from './connection-errors.js';
import type { ServerPools } from './server-pools.js';

/** On whose behalf work is done; what belongs to no store counts for the merchant alone. */
export interface Share {
  readonly merchantId: string;
  readonly storeKey?: number;
}

/** Runs the work on a connection of the pool, which is given back as it was found or, where that is not sure, dropped. */
export type CheckOut = <T>(
  share: Share | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
) => Promise<T>;

export interface CheckOutOptions {
  readonly pools: ServerPools;
  /** As many as the pool has connections. */
  readonly slots: Slots;
  readonly setUp: (client: pg.PoolClient) => Promise<void>;
  readonly silence: Silence;
}

/** When a connection to this database was last found to be silent; all pools to it know. */
export interface Silence {
  lastAt: number;
}

/** What has waited for so long is not wanted any more, or not soon enough. */
const LONGEST_WAIT_MS = 5_000;
/** What costs the server nothing is answered at once, or not at all. */
const AT_ONCE_MS = 3_000;

/**
 * Hands out connections. A router or a balancer can forget a connection without telling anyone; once one has fallen
 * silent, those that have not answered since are not trusted any more, rather than waited for one after the other.
 */
export function createCheckOut({ pools, slots, setUp, silence }: CheckOutOptions): CheckOut {
  const isSetUp = new WeakSet<pg.PoolClient>();
  const lastAnswers = new WeakMap<pg.PoolClient, number>();

  const connectTo = async (pool: pg.Pool): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if ((lastAnswers.get(client) ?? Infinity) < silence.lastAt) {
        client.release(true);
        continue;
      }
      if (!isSetUp.has(client)) {
        await setUp(client).catch((error: unknown) => {
          client.release(true);
          throw error;
        });
        isSetUp.add(client);
      }
      return client;
    }
  };

  const giveBack = (client: pg.PoolClient): void => {
    lastAnswers.set(client, performance.now());
    client.release();
  };
  const drop = (client: pg.PoolClient, fault: unknown): void => {
    if (isSilence(fault)) silence.lastAt = performance.now();
    client.release(true);
  };

  return async (share, work) => {
    const holder = { owner: share?.merchantId, store: share?.storeKey };
    const giveBackSlot = slots.takeNow(holder) ?? (await slots.take({ ...holder, waitMs: LONGEST_WAIT_MS }));
    try {
      const client = await pools.connect(connectTo);
      try {
        const result = await work(client);
        giveBack(client);
        return result;
      } catch (error) {
        const fault = isConnectionLoss(error) ? error : await rollBack(client);
        if (fault === undefined) giveBack(client);
        else drop(client, fault);
        throw error;
      }
    } finally {
      giveBackSlot();
    }
  };
}

export async function runAtOnce(client: pg.PoolClient, text: string): Promise<void> {
  await client.query({ text, query_timeout: AT_ONCE_MS } as pg.QueryConfig);
}

/** Answers why it could not be done, if so. */
function rollBack(client: pg.PoolClient): Promise<unknown> {
  return runAtOnce(client, 'ROLLBACK').catch((fault: unknown) => fault);
}
