import type { Queryable } from '../postgres/database.js';
import { DEFAULT_PACE, type KeptPace } from './pace.js';

type Kept = Omit<KeptPace, 'revision'>;

/** The intake of a store as it is now, held until the transaction ends. */
export async function lockIntake(tx: Queryable, storeId: string): Promise<KeptPace> {
  const [row] = await tx.query<IntakeRow>({
    name: 'intake-locked',
    text: 'SELECT stores.intake, stores.intake_revision FROM stores WHERE stores.id = $1 FOR NO KEY UPDATE',
    values: [storeId],
  });
  return toPace(row);
}

export async function readIntakes(
  db: Queryable,
  storeIds: readonly string[],
): Promise<ReadonlyMap<string, KeptPace>> {
  if (storeIds.length === 0) return new Map();
  const rows = await db.read<IntakeRow & { readonly id: string }>({
    name: 'intakes',
    text: 'SELECT stores.id, stores.intake, stores.intake_revision FROM stores WHERE stores.id = ANY ($1::uuid[])',
    values: [storeIds],
  });
  return new Map(rows.map((row) => [row.id, toPace(row)]));
}

interface IntakeRow {
  readonly intake: Kept | null;
  readonly intake_revision: number;
}

function toPace(row: IntakeRow | undefined): KeptPace {
  if (!row?.intake) return DEFAULT_PACE;
  const settings = { ...DEFAULT_PACE.settings, ...row.intake.settings };
  return { ...row.intake, settings, revision: row.intake_revision };
}

/** Gives a store the hours and capacity of another, but no pause. */
export async function copyIntake(db: Queryable, fromId: string, toId: string): Promise<void> {
  await db.query({
    name: 'intake-copy',
    // jsonb_build_object may depend on settings of the session, and Citus takes no such function in an UPDATE.
    text: `UPDATE stores SET intake = jsonb_set('{}', '{settings}', f.intake -> 'settings'), intake_revision = 1
           FROM stores f WHERE stores.id = $2 AND f.id = $1 AND f.intake IS NOT NULL`,
    values: [fromId, toId],
  });
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
