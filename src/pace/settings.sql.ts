import type { Queryable } from '../postgres/database.js';
import { DEFAULT_PACE, type KeptPace } from './pace.js';

type Kept = Omit<KeptPace, 'revision'>;

/** The intake of a store as it is now; `isLocked` holds it until the transaction ends. */
export async function readIntake(db: Queryable, storeId: string, isLocked = false): Promise<KeptPace> {
  const [row] = await db.query<{ intake: Kept | null; intake_revision: number }>({
    name: isLocked ? 'intake-locked' : 'intake',
    text: `SELECT stores.intake, stores.intake_revision FROM stores WHERE stores.id = $1${isLocked ? ' FOR NO KEY UPDATE' : ''}`,
    values: [storeId],
    repeatable: !isLocked,
  });
  if (!row?.intake) return DEFAULT_PACE;
  const settings = { ...DEFAULT_PACE.settings, ...row.intake.settings };
  return { ...row.intake, settings, revision: row.intake_revision };
}

export async function writeIntake(
  db: Queryable,
  storeId: string,
  { revision, ...kept }: KeptPace,
): Promise<void> {
  await db.query({
    name: 'intake-write',
    text: 'UPDATE stores SET intake = $2, intake_revision = $3 WHERE stores.id = $1',
    values: [storeId, JSON.stringify(kept), revision],
  });
}
