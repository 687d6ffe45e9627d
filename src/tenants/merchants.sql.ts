import type { MerchantCreate, MerchantPatch, MerchantResponse } from './shapes.js';
import type { Page } from '../support/shape/common-shapes.js';
import type { Queryable, Transaction } from '../postgres/database.js';
import { audit } from '../audit/audit.sql.js';
import { NotFound, requireFound } from '../support/errors.js';
import { maySeeMerchant, type Principal } from '../access/principal.js';
import { isResourceId, newUuidV7 } from '../support/uuid.js';

export interface MerchantRow {
  id: string;
  created_at: Date;
  brand_name: string;
  business_type: string | null;
}

const COLUMNS = 'merchants.id, merchants.created_at, merchants.brand_name, merchants.business_type';

export async function getMerchant(db: Queryable, id: string): Promise<MerchantResponse | undefined> {
  const [row] = await db.read<MerchantRow>({
    name: 'merchant',
    text: `SELECT ${COLUMNS} FROM merchants WHERE merchants.id = $1`,
    values: [id],
  });
  return row && toMerchant(row);
}

/** Finds the merchant that a path names. */
export async function findMerchant(
  { db, principal }: { readonly db: Queryable; readonly principal: Principal },
  id: string,
): Promise<MerchantResponse> {
  const mayLook = isResourceId(id) && maySeeMerchant(principal, id);
  return requireFound(mayLook ? await getMerchant(db, id) : undefined, 'Merchant');
}

/**
 * Locks the merchant until the transaction ends, so that it is not deleted and two requests do not both count up to a limit; false
 * if there is none. Not shared: on Citus two who share a row of a copied table wait for each other.
 */
export async function lockMerchant(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'merchant_lock',
    text: 'SELECT 1 FROM merchants WHERE merchants.id = $1 FOR UPDATE',
    values: [id],
  });
  return rows.length > 0;
}

/** All merchants, or the one that a key acts for. */
export async function listMerchants(
  db: Queryable,
  only: string | undefined,
  page: Page,
): Promise<MerchantResponse[]> {
  const rows = await db.read<MerchantRow>({
    name: 'merchants',
    text: `SELECT ${COLUMNS} FROM merchants WHERE $1::uuid IS NULL OR merchants.id = $1
           ORDER BY merchants.created_at, merchants.id OFFSET $2 LIMIT $3`,
    values: [only, page.skip, page.limit],
  });
  return rows.map(toMerchant);
}

export async function createMerchant(
  tx: Transaction,
  merchant: MerchantCreate,
  id = newUuidV7(),
): Promise<MerchantResponse> {
  const [row] = await tx.query<MerchantRow>({
    name: 'merchant_insert',
    text: `INSERT INTO merchants (id, created_at, brand_name, business_type)
           VALUES ($1, date_trunc('milliseconds', clock_timestamp()), $2, $3) RETURNING ${COLUMNS}`,
    values: [id, merchant.brand_name, merchant.business_type?.name],
  });
  const made = toMerchant(row as MerchantRow);
  await audit(tx, 'merchant.created', { merchantId: id, subject: id, after: merchant });
  return made;
}

export async function changeMerchant(
  tx: Transaction,
  id: string,
  patch: MerchantPatch,
): Promise<MerchantResponse> {
  const before = await getMerchant(tx, id);
  const [row] = await tx.query<MerchantRow>({
    name: 'merchant_update',
    text: `UPDATE merchants SET brand_name = coalesce($2, merchants.brand_name),
                                business_type = CASE WHEN $4 THEN NULL ELSE coalesce($3, merchants.business_type) END
           WHERE merchants.id = $1 RETURNING ${COLUMNS}`,
    values: [id, patch.brand_name, patch.business_type?.name, patch.business_type === null],
  });
  if (row === undefined) throw new NotFound('Merchant');
  const after = toMerchant(row);
  await audit(tx, 'merchant.changed', { merchantId: id, subject: id, before, after });
  return after;
}

export function toMerchant(row: MerchantRow): MerchantResponse {
  return {
    created_at: row.created_at.toISOString(),
    id: row.id,
    brand_name: row.brand_name,
    ...(row.business_type === null ? {} : { business_type: { name: row.business_type } }),
  };
}
