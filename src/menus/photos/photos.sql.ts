import type { Queryable } from '../../postgres/database.js';
import { requireFound } from '../../support/errors.js';
import type { MenuState } from '../versions/versions.sql.js';
import type { PhotoSize, PhotoType } from './read-header.js';
import { addressOf } from './shapes.js';

/** A photo and the name of its bytes. */
export interface KeptPhoto extends PhotoSize {
  readonly id: string;
  readonly bytes: number;
}

export interface PhotoContent {
  readonly type: PhotoType;
  readonly content: Buffer;
}

/** The bytes of all photos of a merchant, and whether this one is among them. */
export async function countBytes(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<{ readonly used: number; readonly isKept: boolean }> {
  const [row] = await db.query<{ used: number; kept: boolean | null }>({
    name: 'photos-count',
    text: `SELECT coalesce(sum(p.bytes), 0)::bigint AS used, bool_or(p.id = $2) AS kept FROM photos p WHERE p.merchant_id = $1`,
    values: [merchantId, id],
  });
  return { used: row?.used ?? 0, isKept: row?.kept === true };
}

/** Keeps the bytes; those that are there already are young again, so the cleanup leaves them to whoever assigns them now. */
export async function keepContent(
  tx: Queryable,
  merchantId: string,
  id: string,
  { type, content }: PhotoContent,
): Promise<void> {
  await tx.query({
    name: 'photos-keep',
    text: `INSERT INTO photos (id, merchant_id, type, bytes, content, put_at) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET put_at = excluded.put_at`,
    values: [id, merchantId, type, content.length, content, new Date()],
  });
}

/** With what `refuseMoving` needs to know of the merchant. */
export async function readContent(
  db: Queryable,
  id: string,
): Promise<(PhotoContent & { readonly moving: string | null }) | undefined> {
  const [row] = await db.read<PhotoContent & { readonly moving: string | null }>({
    name: 'photos-content',
    text: `SELECT p.type, p.content, m.moving FROM photos p JOIN merchants m ON m.id = p.merchant_id WHERE p.id = $1`,
    values: [id],
  });
  return row;
}

/** Of an item, be it on the menu or not; undefined where it has none. */
export async function readPhotoOf(
  db: Queryable,
  storeKey: number,
  externalId: string,
): Promise<{ readonly id: number; readonly photo: string; readonly small: string | null } | undefined> {
  const [row] = await db.read<{ id: number; photo: string; small: string | null }>({
    name: 'menu-photos-of-item',
    text: `SELECT e.id, p.photo, p.small FROM menu_entities e JOIN menu_photos p ON p.store_key = $1 AND p.entity_id = e.id
      WHERE e.store_key = $1 AND e.kind = 'item' AND e.external_id = $2`,
    values: [storeKey, externalId],
  });
  return row;
}

/** Another photo has no small size yet. */
export async function setPhoto(
  tx: Queryable,
  storeKey: number,
  entityId: number,
  { id, width, height, bytes }: KeptPhoto,
): Promise<void> {
  await tx.query({
    name: 'menu-photos-set',
    text: `INSERT INTO menu_photos (store_key, entity_id, photo, width, height, bytes) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (store_key, entity_id) DO UPDATE SET photo = excluded.photo, width = excluded.width,
        height = excluded.height, bytes = excluded.bytes, small = NULL, small_width = NULL, small_height = NULL`,
    values: [storeKey, entityId, id, width, height, bytes],
  });
}

export async function setSmallPhoto(
  tx: Queryable,
  storeKey: number,
  entityId: number,
  { id, width, height }: KeptPhoto,
): Promise<void> {
  await tx.query({
    name: 'menu-photos-set-small',
    text: `UPDATE menu_photos SET small = $3, small_width = $4, small_height = $5
      WHERE store_key = $1 AND entity_id = $2`,
    values: [storeKey, entityId, id, width, height],
  });
}

export async function removePhoto(tx: Queryable, storeKey: number, entityId: number): Promise<void> {
  await tx.query({
    name: 'menu-photos-remove',
    text: 'DELETE FROM menu_photos WHERE store_key = $1 AND entity_id = $2',
    values: [storeKey, entityId],
  });
}

export interface PhotoRow {
  readonly external_id: string;
  readonly photo: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly small: string | null;
  readonly small_width: number | null;
  readonly small_height: number | null;
}

/** Of all items that have one, also of those that are not on the menu now. */
export async function listPhotos(db: Queryable, storeKey: number): Promise<PhotoRow[]> {
  return db.read<PhotoRow>({
    name: 'menu-photos-list',
    text: `SELECT e.external_id, p.photo, p.width, p.height, p.bytes, p.small, p.small_width, p.small_height
      FROM menu_photos p JOIN menu_entities e ON e.store_key = $1 AND e.id = p.entity_id
      WHERE p.store_key = $1 ORDER BY e.external_id`,
    values: [storeKey],
  });
}

/** The photos of entities as menus show them, with a state of the menu that they are at least as new as. */
export async function readPhotos(
  db: Queryable,
  storeKey: number,
): Promise<{
  readonly state: MenuState;
  readonly photos: readonly (readonly [id: number, photo: object])[];
}> {
  const [row] = await db.read<MenuState & { photos: string | null }>({
    name: 'menu-photos-read',
    text: `SELECT s.menu_version AS version, s.stock_revision AS "stockRevision",
        (SELECT json_agg(json_build_array(p.entity_id, json_strip_nulls(json_build_object(
           'url', '${addressOf('')}' || p.photo, 'width', p.width, 'height', p.height,
           'small', CASE WHEN p.small IS NOT NULL THEN json_build_object(
             'url', '${addressOf('')}' || p.small, 'width', p.small_width, 'height', p.small_height) END))))::text
         FROM menu_photos p WHERE p.store_key = $1) AS photos
      FROM menu_states s WHERE s.store_key = $1`,
    values: [storeKey],
  });
  const { photos, ...state } = requireFound(row, 'Store');
  return { state, photos: JSON.parse(photos ?? '[]') as [number, object][] };
}

/** Gives photos to the items of these names that have none. Only those that the merchant has. Returns how many got one. */
export async function addPhotos(
  tx: Queryable,
  merchantId: string,
  storeKey: number,
  photos: readonly PhotoRow[],
): Promise<number> {
  const kept = await tx.query<{ id: string }>({
    name: 'photos-keep-again',
    text: 'UPDATE photos SET put_at = $3 WHERE id = ANY ($2::text[]) AND merchant_id = $1 RETURNING id',
    values: [merchantId, photos.flatMap(({ photo, small }) => [photo, small ?? photo]), new Date()],
  });
  const ids = new Set(kept.map(({ id }) => id));
  const added = await tx.query({
    name: 'menu-photos-add',
    text: `INSERT INTO menu_photos (store_key, entity_id, photo, width, height, bytes, small, small_width, small_height)
      SELECT $1, e.id, p.photo, p.width, p.height, p.bytes, p.small, p.small_width, p.small_height
      FROM json_to_recordset($2::json) AS p (external_id text, photo text, width smallint, height smallint, bytes integer,
        small text, small_width smallint, small_height smallint)
      JOIN menu_entities e ON e.store_key = $1 AND e.kind = 'item' AND e.external_id = p.external_id
      ON CONFLICT (store_key, entity_id) DO NOTHING RETURNING 1`,
    values: [
      storeKey,
      JSON.stringify(photos.filter(({ photo, small }) => ids.has(photo) && ids.has(small ?? photo))),
    ],
  });
  return added.length;
}

const PHOTOS_AT_ONCE = 1_000;
const KEPT_MS = 3_600_000;

/** Removes the bytes of photos that no item has, an hour after they were last given to one. */
export async function purgeOrphans(db: Queryable): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { readonly id: string }[] = await db.query<{ id: string }>({
      name: 'photos-page',
      text: `SELECT p.id FROM photos p WHERE p.id > $1 AND p.put_at < $2 ORDER BY p.id LIMIT ${PHOTOS_AT_ONCE}`,
      values: [after, before],
    });
    const ids = page.map(({ id }) => id);
    after = ids.at(-1);
    const used = await db.query<{ id: string }>({
      name: 'menu-photos-used',
      text: `SELECT m.photo AS id FROM menu_photos m WHERE m.photo = ANY ($1::text[])
        UNION SELECT m.small FROM menu_photos m WHERE m.small = ANY ($1::text[])`,
      values: [ids],
    });
    const inUse = new Set(used.map(({ id }) => id));
    await db.query({
      name: 'photos-purge',
      text: 'DELETE FROM photos WHERE id = ANY ($1::text[]) AND put_at < $2',
      values: [ids.filter((id) => !inUse.has(id)), before],
    });
  }
}
