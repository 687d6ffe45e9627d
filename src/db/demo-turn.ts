import type { Transaction } from './database.js';

/** A number of our own among the database's advisory locks. */
const TURN = 73_117_002;

/** Waits until no other process is loading the demo; the turn ends with the transaction. */
export async function takeDemoTurn(tx: Transaction): Promise<void> {
  await tx.client.query('SELECT pg_advisory_xact_lock($1)', [TURN]);
}
