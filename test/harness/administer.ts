import pg from 'pg';

/** Runs one statement on a connection of its own, and waits for a busy server as long as it takes. */
export async function administer(connection: pg.PoolConfig, text: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
