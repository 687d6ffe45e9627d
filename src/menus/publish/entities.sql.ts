import type { Kind } from '../kinds.js';
import { createBatch } from '../../postgres/batch.js';
import type { Queryable } from '../../postgres/database.js';

/** The entities that `$2` names, a list of external_ids under each kind, in the order of the lists, in which ids are kept. */
const NAMED = `
  SELECT lists.kind, lists.position AS list, entities.external_id, entities.position
  FROM json_each($2::json) WITH ORDINALITY AS lists (kind, external_ids, position),
       json_array_elements_text(lists.external_ids) WITH ORDINALITY AS entities (external_id, position)`;

/**
 * The ids of these entities in their order, with commas between them; new entities get theirs now. `externalIds` is JSON text
 * as in a PreparedMenu.
 * The caller holds the store's row, so nobody else gives out ids for this store meanwhile.
 */
export async function assignIds(tx: Queryable, storeKey: number, externalIds: Uint8Array): Promise<string> {
  const [known] = await tx.query<{ ids: string | null; missing: number }>({
    name: 'menu-entities-known',
    text: `WITH named AS (${NAMED})
      SELECT string_agg(coalesce(known.id::text, ''), ',' ORDER BY named.list, named.position) AS ids,
             (count(*) FILTER (WHERE known.id IS NULL))::integer AS missing
      FROM named LEFT JOIN menu_entities known
        ON known.store_key = $1 AND known.kind = named.kind AND known.external_id = named.external_id`,
    values: [storeKey, externalIds],
  });
  const ids = known?.ids ?? '';
  if (known === undefined || known.missing === 0) return ids;
  const fresh = await drawIds(tx, known.missing);
  await insertEntities(tx, storeKey, externalIds, fresh);
  return fillGaps(ids, fresh);
}

async function drawIds(tx: Queryable, count: number): Promise<string> {
  const [row] = await tx.query<{ ids: string }>({
    name: 'menu-entities-draw-ids',
    text: `SELECT string_agg(drawn.id::text, ',') AS ids
      FROM (SELECT nextval('menu_entity_ids') AS id FROM generate_series(1, $1)) AS drawn`,
    values: [count],
  });
  return row?.ids ?? '';
}

/** Gives the new ids to the entities that have none, first to first. */
async function insertEntities(
  tx: Queryable,
  storeKey: number,
  externalIds: Uint8Array,
  ids: string,
): Promise<void> {
  await tx.query({
    name: 'menu-entities-insert',
    text: `WITH named AS (${NAMED}),
      missing AS (
        SELECT named.kind, named.external_id, row_number() OVER (ORDER BY named.list, named.position) AS position
        FROM named LEFT JOIN menu_entities known
          ON known.store_key = $1 AND known.kind = named.kind AND known.external_id = named.external_id
        WHERE known.id IS NULL)
      INSERT INTO menu_entities (store_key, kind, external_id, id)
      SELECT $1, missing.kind, missing.external_id, fresh.id
      FROM missing JOIN unnest(string_to_array($3, ',')::bigint[]) WITH ORDINALITY AS fresh (id, position)
        USING (position)`,
    values: [storeKey, externalIds, ids],
  });
}

function fillGaps(ids: string, fresh: string): string {
  const next = fresh.split(',').values();
  return ids
    .split(',')
    .map((id) => (id === '' ? (next.next().value ?? '') : id))
    .join(',');
}

interface EntityName {
  readonly kind: Kind;
  readonly externalId: string;
}

/** An entity that a version lists, with what decides about its stock and its size. */
export interface ListedEntity extends EntityName {
  readonly id: number;
  readonly isStatedOut: boolean;
  readonly minTreeBytes: number;
  readonly treeEntities: number;
}

export async function findListed(
  db: Queryable,
  storeKey: number,
  version: number,
  names: readonly EntityName[],
): Promise<ListedEntity[]> {
  return db.read<ListedEntity>({
    name: 'menu-versions-listed',
    text: `SELECT e.kind, e.external_id AS "externalId", e.id, listed.position - 1 = ANY (v.stated_out) AS "isStatedOut",
        v.tree_bytes AS "minTreeBytes", v.tree_entities AS "treeEntities"
      FROM unnest($3::text[], $4::text[]) AS named (kind, external_id)
      JOIN menu_entities e ON e.store_key = $1 AND e.kind = named.kind AND e.external_id = named.external_id
      JOIN menu_versions v ON v.store_key = $1 AND v.version = $2
      JOIN unnest(v.ids) WITH ORDINALITY AS listed (id, position) ON listed.id = e.id`,
    values: [storeKey, version, names.map(({ kind }) => kind), names.map(({ externalId }) => externalId)],
  });
}

export async function findNames(
  db: Queryable,
  storeKey: number,
  ids: readonly number[],
): Promise<(EntityName & { readonly id: number })[]> {
  return db.read<EntityName & { readonly id: number }>({
    name: 'menu-entities-names',
    text: `SELECT e.id, e.kind, e.external_id AS "externalId" FROM menu_entities e
      WHERE e.store_key = $1 AND e.id = ANY ($2::bigint[])`,
    values: [storeKey, ids],
  });
}

interface ListedAsk extends EntityName {
  readonly storeKey: number;
  readonly version: number;
}

/** Tells whether a version lists an entity; what is asked at the same moment goes as one query. */
export function createListing(db: Queryable): (ask: ListedAsk) => Promise<boolean> {
  return createBatch({
    identityOf: ({ storeKey, version, kind, externalId }) => `${storeKey} ${version} ${kind} ${externalId}`,
    run: async (asks: readonly ListedAsk[]) => {
      const rows = await db.read<{ place: number }>({
        name: 'menu-entities-listed',
        text: `SELECT asked.place
          FROM unnest($1::integer[], $2::bigint[], $3::text[], $4::text[])
            WITH ORDINALITY AS asked (store_key, version, kind, external_id, place)
          JOIN menu_entities e
            ON e.store_key = asked.store_key AND e.kind = asked.kind AND e.external_id = asked.external_id
          JOIN menu_versions v ON v.store_key = e.store_key AND v.version = asked.version
          WHERE e.id = ANY (v.ids)`,
        values: [
          asks.map(({ storeKey }) => storeKey),
          asks.map(({ version }) => version),
          asks.map(({ kind }) => kind),
          asks.map(({ externalId }) => externalId),
        ],
      });
      const listed = new Set(rows.map(({ place }) => place));
      return asks.map((_, i) => listed.has(i + 1));
    },
  });
}
