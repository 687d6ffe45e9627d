import type pg from 'pg';
import { isSilence } from './connection-errors.js';

/** A connection of the pool, for a while. */
export interface Lease {
  readonly client: pg.PoolClient;
  giveBack(): void;
  /** It is not used again. */
  drop(error: unknown): void;
}

export type CheckOut = () => Promise<Lease>;

/**
 * Hands out connections. A router or a balancer can forget a connection without telling anyone; once one has fallen
 * silent, those that have not answered since are not trusted any more, rather than each of them waited for in turn.
 */
export function createCheckOut(pool: pg.Pool, setUp: (client: pg.PoolClient) => Promise<void>): CheckOut {
  const isSetUp = new WeakSet<pg.PoolClient>();
  const lastAnswers = new WeakMap<pg.PoolClient, number>();
  let lastSilence = -Infinity;
  return async () => {
    for (;;) {
      const client = await pool.connect();
      if ((lastAnswers.get(client) ?? Infinity) < lastSilence) {
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
      return {
        client,
        giveBack: () => {
          lastAnswers.set(client, performance.now());
          client.release();
        },
        drop: (error) => {
          if (isSilence(error)) lastSilence = performance.now();
          client.release(true);
        },
      };
    }
  };
}
