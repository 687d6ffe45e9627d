import type pg from 'pg';

const LOCKS = {
  migration: 7_263_015,
  restore: 7_263_016,
  cleanup: 7_263_017,
  emptying: 7_263_018,
  demo: 73_117_002,
} as const;

/** Waits for the lock, which is released at the end of the transaction. */
export async function lockFor(client: pg.Client, work: keyof typeof LOCKS): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS[work]]);
}

/** Takes a session lock and returns its release function; undefined if someone else holds it. */
export async function tryLockSession(
  client: pg.Client,
  work: keyof typeof LOCKS,
): Promise<(() => Promise<unknown>) | undefined> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    LOCKS[work],
  ]);
  if (rows[0]?.taken !== true) return undefined;
  return () => client.query('SELECT pg_advisory_unlock($1)', [LOCKS[work]]);
}

/** Tries to take the lock without waiting; it is released at the end of the transaction. */
export async function tryLockFor(client: pg.Client, work: keyof typeof LOCKS): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    LOCKS[work],
  ]);
  return rows[0]?.taken === true;
}
