import type pg from 'pg';

/** Numbers of our own among the advisory locks of the database, which know nothing but numbers. */
const LOCKS = { migration: 7_263_015, restore: 7_263_016, demo: 73_117_002 } as const;

/** Waits until nobody else does this; the lock ends with the transaction. */
export async function lockFor(client: pg.ClientBase, work: keyof typeof LOCKS): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS[work]]);
}

/** The lock outlasts transactions, until what is returned is called; undefined where somebody else does this now. */
export async function tryLockSession(
  client: pg.ClientBase,
  work: keyof typeof LOCKS,
): Promise<(() => Promise<unknown>) | undefined> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    LOCKS[work],
  ]);
  if (rows[0]?.taken !== true) return undefined;
  return () => client.query('SELECT pg_advisory_unlock($1)', [LOCKS[work]]);
}

/** Does not wait: false where somebody else does this now. The lock ends with the transaction. */
export async function tryLockFor(client: pg.ClientBase, work: keyof typeof LOCKS): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    LOCKS[work],
  ]);
  return rows[0]?.taken === true;
}
