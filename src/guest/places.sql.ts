import { PATIENCE_MS, STORE_JSON, type RequestedStore } from '../access/api-key-lookup.sql.js';
import { newCode } from '../access/code.js';
import { hashSecret } from '../access/secret.js';
import type { Place, PlaceKind } from '../access/principal.js';
import { owedAt } from '../orders/change.sql.js';
import { createBatch } from '../postgres/batch.js';
import { parseWithoutNulls } from '../postgres/without-nulls.js';
import type { Database, Queryable } from '../postgres/database.js';
import type { Page } from '../support/shape/common-shapes.js';
import { newUuidV7 } from '../support/uuid.js';
import { newTokenSeed } from './secrets.js';

/** A place as it is kept. */
export interface StoredPlace extends Place {
  readonly external_id: string | null;
  readonly code: string;
  readonly status: 'active' | 'disabled';
  readonly created_at: Date;
}

const COLUMNS = 'p.id, p.label, p.kind, p.external_id, p.code, p.status, p.created_at';

/** With what the guests of each owe. */
export async function listPlaces(
  db: Queryable,
  storeKey: number,
  page: Page,
): Promise<(StoredPlace & { readonly due: number })[]> {
  return db.read({
    name: 'places',
    text: `SELECT ${COLUMNS}, coalesce(owed.due, 0)::float8 AS due FROM places p
           CROSS JOIN LATERAL (
             SELECT sum(o.due) AS due FROM (
               SELECT coalesce(o.due, o.price + o.tax) AS due FROM orders o WHERE o.store_key = $1 AND ${owedAt('p.id')}
             ) o
           ) owed
           WHERE p.store_key = $1 ORDER BY p.created_at, p.id OFFSET $2 LIMIT $3`,
    values: [storeKey, page.skip, page.limit],
  });
}

export async function getPlace(
  db: Queryable,
  storeKey: number,
  id: string,
): Promise<StoredPlace | undefined> {
  const [place] = await db.read<StoredPlace>({
    name: 'place',
    text: `SELECT ${COLUMNS} FROM places p WHERE p.store_key = $1 AND p.id = $2`,
    values: [storeKey, id],
  });
  return place;
}

export async function countPlaces(db: Queryable, storeKey: number): Promise<number> {
  const [row] = await db.read<{ count: number }>({
    name: 'places-count',
    text: 'SELECT count(*)::integer AS count FROM places p WHERE p.store_key = $1',
    values: [storeKey],
  });
  return row?.count ?? 0;
}

export interface NewPlace {
  readonly label: string;
  readonly kind: PlaceKind;
  readonly external_id?: string;
  readonly status?: StoredPlace['status'];
}

/** With a new code; undefined if the store has a place with this external_id. */
export async function insertPlace(
  db: Queryable,
  storeKey: number,
  { label, kind, external_id: externalId, status = 'active' }: NewPlace,
  createdAt = Date.now(),
): Promise<StoredPlace | undefined> {
  const code = newCode();
  const [made] = await db.query<StoredPlace>({
    name: 'place-insert',
    text: `INSERT INTO places AS p (store_key, id, label, kind, external_id, code, code_hash, token_seed, status, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $9)
           ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    values: [
      storeKey,
      newUuidV7(),
      label,
      kind,
      externalId,
      code,
      hashSecret(code),
      newTokenSeed(),
      new Date(createdAt),
      status,
    ],
  });
  return made;
}

/** Gives a store the places of another, in their order and with codes of their own. */
export async function copyPlaces(db: Queryable, fromKey: number, toKey: number): Promise<void> {
  const now = Date.now();
  for (const [i, { external_id: id, ...place }] of (await listPlaces(db, fromKey, ALL_PLACES)).entries())
    await insertPlace(db, toKey, { ...place, ...(id === null ? {} : { external_id: id }) }, now + i);
}

const ALL_PLACES = { skip: 0, limit: 1_000 };

/** Sets what is given; undefined if there is no such place. */
export async function updatePlace(
  db: Queryable,
  storeKey: number,
  id: string,
  { label, status, code }: Partial<Pick<StoredPlace, 'label' | 'status' | 'code'>>,
): Promise<StoredPlace | undefined> {
  const [place] = await db.query<StoredPlace>({
    name: 'place-update',
    text: `UPDATE places AS p SET label = coalesce($3, p.label), status = coalesce($4, p.status),
             code = coalesce($5, p.code), code_hash = coalesce($6, p.code_hash)
           WHERE p.store_key = $1 AND p.id = $2 RETURNING ${COLUMNS}`,
    values: [storeKey, id, label, status, code, code === undefined ? undefined : hashSecret(code)],
  });
  return place;
}

export async function deletePlace(db: Queryable, storeKey: number, id: string): Promise<boolean> {
  const removed = await db.query({
    name: 'place-delete',
    text: 'DELETE FROM places p WHERE p.store_key = $1 AND p.id = $2 RETURNING 1',
    values: [storeKey, id],
  });
  return removed.length > 0;
}

export async function readTokenSeed(
  db: Queryable,
  storeKey: number,
  id: string,
): Promise<Buffer | undefined> {
  const [row] = await db.read<{ token_seed: Buffer }>({
    name: 'place-token-seed',
    text: 'SELECT p.token_seed FROM places p WHERE p.store_key = $1 AND p.id = $2',
    values: [storeKey, id],
  });
  return row?.token_seed;
}

/** A place whose code is valid, in a store where guests can order. */
export interface FoundPlace {
  readonly place: Place;
  readonly store: RequestedStore;
}

export function createPlaceLookup(db: Database): (code: string) => Promise<FoundPlace | undefined> {
  const find = `
    SELECT json_build_object('place', json_build_object('id', p.id, 'label', p.label, 'kind', p.kind),
      'store', ${STORE_JSON})::text
    FROM places p JOIN stores ON stores.store_key = p.store_key
    JOIN menu_states ON menu_states.store_key = p.store_key
    WHERE p.code_hash = asked.value AND p.status = 'active' AND (stores.guest ->> 'enabled')::boolean`;
  const lookUp = createLookup<FoundPlace>(db, 'guest-places', { type: 'bytea', find });
  return (code) => lookUp(hashSecret(code));
}

/** Looks up the stores that tokens name. */
export function createStoreLookup(db: Database): (storeKey: number) => Promise<RequestedStore | undefined> {
  const find = `
    SELECT ${STORE_JSON}::text FROM stores JOIN menu_states ON menu_states.store_key = stores.store_key
    WHERE stores.store_key = asked.value`;
  return createLookup<RequestedStore>(db, 'guest-stores', { type: 'integer', find });
}

/**
 * Looks up values, all that wait at the same moment in one query: whatever is wrong with one takes as long as nothing. `find`
 * selects the JSON text of what `asked.value` stands for.
 */
function createLookup<Found>(
  db: Database,
  name: string,
  { type, find }: { readonly type: 'bytea' | 'integer'; readonly find: string },
) {
  return createBatch<Buffer | number, Found | undefined>({
    run: async (values) => {
      const rows = await db.read<{ found: string | null }>({
        name,
        text: `SELECT (${find} LIMIT 1) AS found
          FROM unnest((SELECT $1::${type}[])) WITH ORDINALITY AS asked (value, position) ORDER BY asked.position`,
        values: [values],
        patienceMs: PATIENCE_MS,
      });
      return rows.map(({ found }) => (found === null ? undefined : parseWithoutNulls<Found>(found)));
    },
  });
}
