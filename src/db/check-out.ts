import type pg from 'pg';
import type { Slots } from '../domain/slots.js';
import { isSilence } from './connection-errors.js';
import type { ServerPools } from './server-pools.js';

/** On whose behalf work is done; what belongs to no store counts for the merchant alone. */
export interface Share {
  readonly merchantId: string;
  readonly storeKey?: number;
}

/** A connection of the pool, for a while. */
export interface Lease {
  readonly client: pg.PoolClient;
  giveBack(): void;
  /** It is not used again. */
  drop(error: unknown): void;
}

export type CheckOut = (share?: Share) => Promise<Lease>;

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

  return async (share) => {
    const holder = { owner: share?.merchantId, store: share?.storeKey };
    const giveBackSlot = slots.takeNow(holder) ?? (await slots.take({ ...holder, waitMs: LONGEST_WAIT_MS }));
    const client = await pools.connect(connectTo).catch((error: unknown) => {
      giveBackSlot();
      throw error;
    });
    return {
      client,
      giveBack: () => {
        lastAnswers.set(client, performance.now());
        client.release();
        giveBackSlot();
      },
      drop: (error) => {
        if (isSilence(error)) silence.lastAt = performance.now();
        client.release(true);
        giveBackSlot();
      },
    };
  };
}
