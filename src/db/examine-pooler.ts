import type pg from 'pg';
import { IDLE_IN_TRANSACTION_MS, STATEMENT_MS } from './connection-settings.js';
import { openDatabase } from './database.js';
import { explainStatementError } from './setup-errors.js';

const PROBE = { name: 'comanda_probe', text: 'SELECT pg_backend_pid() AS backend' };

/**
 * What the operator should know about a pooler between the service and the database, if there is one that hands its
 * connections out by the transaction; refuses one that cannot keep prepared statements apart.
 */
export async function examinePooler(connection: pg.PoolConfig): Promise<string[]> {
  const db = openDatabase({ connection, poolSize: 2 });
  try {
    return await db.withClient((holder) =>
      db.withClient(async (prober) => {
        const isShared = await isHandedOut(holder, prober);
        return isShared && !(await hasTimeLimits(prober)) ? [await adviseTimeLimits(prober)] : [];
      }),
    );
  } finally {
    await db.close();
  }
}

/**
 * While one client holds a connection of the pooler, the other prepares on a second one; when the first has been given
 * back, that is the one handed out next.
 */
async function isHandedOut(holder: pg.PoolClient, prober: pg.PoolClient): Promise<boolean> {
  const probe = async () => (await prober.query<{ backend: number }>(PROBE)).rows[0]?.backend;
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1');
    const before = await probe();
    await holder.query('COMMIT');
    return (await probe()) !== before;
  } catch (error) {
    throw explainStatementError(error, PROBE.text) ?? error;
  }
}

async function hasTimeLimits(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ has_limits: boolean }>(
    `SELECT bool_and(s.reset_val <> '0') AS has_limits FROM pg_settings s
     WHERE s.name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`,
  );
  return rows[0]?.has_limits === true;
}

async function adviseTimeLimits(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  const database = `ALTER DATABASE ${rows[0]?.name ?? ''} SET`;
  return (
    'DATABASE_URL leads through a pooler that hands its connections out by the transaction, so the service cannot limit how ' +
    `long a statement takes; let the database do it: ${database} statement_timeout = '${STATEMENT_MS / 1000}s'; ` +
    `${database} idle_in_transaction_session_timeout = '${IDLE_IN_TRANSACTION_MS / 1000}s';`
  );
}
