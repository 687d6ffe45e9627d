import type { DatabaseMisfit } from '../domain/errors.js';
import type { Database } from './database.js';
import { isNotThere } from './misfits.js';

/** Whether the database understands by now what it did not; true of what cannot be asked without doing it. */
export async function isMended(db: Database, { statement }: DatabaseMisfit): Promise<boolean> {
  if (statement === undefined) return true;
  try {
    await db.withClient((client) =>
      client.query(`BEGIN; PREPARE comanda_fits AS ${statement}; DEALLOCATE comanda_fits; COMMIT`),
    );
    return true;
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  }
}
