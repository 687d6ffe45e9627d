import type { Static } from '../../support/shape/type.js';
import { requireFound } from '../../support/errors.js';
import type { Limits } from '../../support/limits.js';
import { parseNumbers, type Counts } from '../kinds.js';
import type { PreparedMenu, StatedStock, VersionFacts } from '../publish/prepared-menu.js';
import type { Queryable } from '../../postgres/database.js';
import type { MenuVersion } from '../response-shapes.js';

/** Where a store's menu stands: both numbers only ever grow, and together they name one state of its output. */
export interface MenuState {
  readonly version: number;
  readonly stockRevision: number;
}

/** Takes the row of the store's menu, so that publications and marks of one store happen one after the other. */
export async function lockMenu(tx: Queryable, storeKey: number): Promise<MenuState> {
  const [state] = await tx.query<MenuState>({
    name: 'menus-lock',
    text: `SELECT s.menu_version AS version, s.stock_revision AS "stockRevision"
      FROM menu_states s WHERE s.store_key = $1 FOR NO KEY UPDATE`,
    values: [storeKey],
  });
  return requireFound(state, 'Store');
}

export async function setMenuState(tx: Queryable, storeKey: number, state: MenuState): Promise<void> {
  await tx.query({
    name: 'menus-set-state',
    text: `UPDATE menu_states SET menu_version = $2, stock_revision = $3 WHERE store_key = $1`,
    values: [storeKey, state.version, state.stockRevision],
  });
}

/** What tells a version from another, and who published it. */
export interface VersionIdentity {
  readonly version: number;
  readonly contentHash: Buffer;
  readonly externalIdsHash: Buffer;
  readonly keyId: string;
}

const IDENTITY = `SELECT v.version, v.content_hash AS "contentHash", v.keys_hash AS "externalIdsHash", v.key_id AS "keyId"
  FROM menu_versions v WHERE v.store_key = $1`;

export async function findVersion(
  db: Queryable,
  storeKey: number,
  version: number,
): Promise<VersionIdentity | undefined> {
  const [row] = await db.query<VersionIdentity>({
    name: 'menu-versions-identity',
    text: `${IDENTITY} AND v.version = $2`,
    values: [storeKey, version],
  });
  return row;
}

export async function findNewestVersion(
  tx: Queryable,
  storeKey: number,
): Promise<VersionIdentity | undefined> {
  const [row] = await tx.query<VersionIdentity>({
    name: 'menu-versions-newest',
    text: `${IDENTITY} ORDER BY v.version DESC LIMIT 1`,
    values: [storeKey],
  });
  return row;
}

export async function readIds(tx: Queryable, storeKey: number, version: number): Promise<string> {
  const [row] = await tx.query<{ ids: string }>({
    name: 'menu-versions-ids',
    text: `SELECT array_to_string(v.ids, ',') AS ids FROM menu_versions v WHERE v.store_key = $1 AND v.version = $2`,
    values: [storeKey, version],
  });
  return row?.ids ?? '';
}

/** The ids of a version's entities in their order, with commas between them. */
export interface VersionIds {
  readonly text: string;
  /** A version that has the same: its compressed list is copied, which takes a tenth of the time of compressing one. */
  readonly asIn?: number;
}

interface VersionRow extends Omit<PreparedMenu, 'externalIds'> {
  readonly storeKey: number;
  readonly version: number;
  readonly keyId: string;
  readonly ids: VersionIds;
}

/** What makes up a version, whenever and by whomever it is published. */
const KEPT = `content, content_hash, keys_hash, menus, categories, items, modifier_groups, modifier_items, ids, stated_in,
        stated_out, tree_bytes, tree_entities`;

const BEFORE_IDS = `$2::bigint, $3::timestamptz, $4::text, $5::bytea, $6::bytea, $7::bytea, $8::integer, $9::integer, $10::integer,
        $11::integer, $12::integer`;
const AFTER_IDS = `string_to_array($14, ',')::integer[], string_to_array($15, ',')::integer[], $16::bigint, $17::bigint`;

export async function insertVersion(tx: Queryable, row: VersionRow): Promise<void> {
  const { counts, ids } = row;
  const source =
    ids.asIn === undefined
      ? `VALUES ($1, ${BEFORE_IDS}, string_to_array($13, ',')::bigint[], ${AFTER_IDS})`
      : `SELECT v.store_key, ${BEFORE_IDS}, v.ids, ${AFTER_IDS}
        FROM menu_versions v WHERE v.store_key = $1 AND v.version = $13`;
  await tx.query({
    name: ids.asIn === undefined ? 'menu-versions-insert' : 'menu-versions-insert-as',
    text: `INSERT INTO menu_versions (store_key, version, published_at, key_id, ${KEPT}) ${source}`,
    values: [
      row.storeKey,
      row.version,
      new Date(),
      row.keyId,
      row.content,
      row.contentHash,
      row.externalIdsHash,
      counts.menus,
      counts.categories,
      counts.items,
      counts.modifier_groups,
      counts.modifier_items,
      ids.asIn ?? ids.text,
      row.statedInStock.join(','),
      row.statedOutOfStock.join(','),
      row.minTreeBytes,
      row.treeEntities,
    ],
  });
}

/** What is known of a version without its content, with the ids of its entities. */
export async function readFacts(
  db: Queryable,
  storeKey: number,
  version: number,
): Promise<(VersionFacts & { readonly idsText: string }) | undefined> {
  type Kept = Omit<VersionFacts, keyof StatedStock | 'counts'> & Counts;
  const [row] = await db.read<Kept & { idsText: string; statedIn: string; statedOut: string }>({
    name: 'menu-versions-facts',
    text: `SELECT v.content_hash AS "contentHash", v.keys_hash AS "externalIdsHash", v.menus, v.categories, v.items,
        v.modifier_groups, v.modifier_items, array_to_string(v.ids, ',') AS "idsText",
        array_to_string(v.stated_in, ',') AS "statedIn", array_to_string(v.stated_out, ',') AS "statedOut",
        v.tree_bytes AS "minTreeBytes", v.tree_entities AS "treeEntities"
      FROM menu_versions v WHERE v.store_key = $1 AND v.version = $2`,
    values: [storeKey, version],
  });
  return (
    row && {
      ...row,
      counts: countsOf(row),
      statedInStock: Uint32Array.from(parseNumbers(row.statedIn)),
      statedOutOfStock: Uint32Array.from(parseNumbers(row.statedOut)),
    }
  );
}

/** Makes a new version of an earlier one, within the database: its content is not read. */
export async function copyVersion(
  tx: Queryable,
  { storeKey, from, to, keyId }: { storeKey: number; from: number; to: number; keyId: string },
): Promise<void> {
  await tx.query({
    name: 'menu-versions-copy',
    text: `INSERT INTO menu_versions (store_key, version, published_at, key_id, restored_from, ${KEPT})
      SELECT store_key, $3, $4::timestamptz, $5::text, version, ${KEPT}
      FROM menu_versions WHERE store_key = $1 AND version = $2`,
    values: [storeKey, from, to, new Date(), keyId],
  });
}

/**
 * Removes the oldest versions past the number and the bytes that are kept; the newest stays whatever its size. The caller
 * holds the store's row.
 */
export async function pruneVersions(
  tx: Queryable,
  storeKey: number,
  { versionsKept, versionBytesKept }: Pick<Limits, 'versionsKept' | 'versionBytesKept'>,
): Promise<void> {
  await tx.query({
    name: 'menu-versions-prune',
    text: `DELETE FROM menu_versions v USING (
        SELECT kept.version, row_number() OVER newest_first AS place,
          sum(octet_length(kept.content)) OVER newest_first AS bytes
        FROM menu_versions kept WHERE kept.store_key = $1
        WINDOW newest_first AS (ORDER BY kept.version DESC)
      ) AS old
      WHERE v.store_key = $1 AND v.version = old.version AND old.place > 1
        AND (old.place > $2::bigint OR old.bytes > $3::bigint)`,
    values: [storeKey, versionsKept, versionBytesKept],
  });
}

export type VersionSummary = Static<typeof MenuVersion>;

/** The newest first; `before` is the oldest version already seen. */
export async function listVersions(
  db: Queryable,
  storeKey: number,
  page: { readonly before: number; readonly limit: number },
): Promise<VersionSummary[]> {
  type Changed = { readonly published_at: Date; readonly restored_from: number | null };
  type Row = Omit<VersionSummary, keyof Changed | 'counts'> & Changed & Counts;
  const rows = await db.read<Row>({
    name: 'menu-versions-list',
    text: `SELECT v.version, v.published_at, v.key_id, v.restored_from, encode(v.content_hash, 'hex') AS content_hash,
        v.menus, v.categories, v.items, v.modifier_groups, v.modifier_items
      FROM menu_versions v WHERE v.store_key = $1 AND v.version < $2 ORDER BY v.version DESC LIMIT $3`,
    values: [storeKey, page.before, page.limit],
  });
  return rows.map((row) => ({
    version: row.version,
    published_at: row.published_at.toISOString(),
    key_id: row.key_id,
    ...(row.restored_from === null ? {} : { restored_from: row.restored_from }),
    content_hash: row.content_hash,
    counts: countsOf(row),
  }));
}

function countsOf({ menus, categories, items, modifier_groups, modifier_items }: Counts): Counts {
  return { menus, categories, items, modifier_groups, modifier_items };
}
