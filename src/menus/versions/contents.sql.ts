import { NotFound, requireFound } from '../../support/errors.js';
import type { MenuSource } from '../publish/prepared-menu.js';
import type { Queryable } from '../../postgres/database.js';
import { OVERRIDES_TEXT } from '../stock/stock.sql.js';
import type { MenuState } from './versions.sql.js';

/** Large contents are fetched in parts, so that turning one answer into bytes never holds the event loop for long. */
const PART_BYTES = 512 * 1024;

interface ContentPart {
  readonly content: Buffer | null;
  readonly content_bytes: number | null;
}

/** All of it as of one moment: one statement sees one snapshot, and of a version that goes meanwhile nothing is used. */
export async function readCurrentMenu(db: Queryable, storeKey: number): Promise<MenuState & MenuSource> {
  for (;;) {
    const [row] = await db.read<
      ContentPart & { menu_version: number; stock_revision: number; ids: string | null; marks: string }
    >({
      name: 'menus-current',
      text: `SELECT s.menu_version, s.stock_revision, substring(v.content FROM 1 FOR ${PART_BYTES}) AS content,
          octet_length(v.content) AS content_bytes, array_to_string(v.ids, ',') AS ids, ${OVERRIDES_TEXT} AS marks
        FROM menu_states s LEFT JOIN menu_versions v ON v.store_key = $1 AND v.version = s.menu_version
        WHERE s.store_key = $1`,
      values: [storeKey],
    });
    if (row === undefined) throw new NotFound('Store');
    const { menu_version: version, stock_revision: stockRevision, marks: marksText } = row;
    const content = await withRest(db, storeKey, version, row);
    // A newer one has taken its place, which the next round finds.
    if (content === undefined) continue;
    return { version, stockRevision, content, idsText: row.ids ?? '', marksText };
  }
}

export async function readContent(
  db: Queryable,
  storeKey: number,
  version: number,
): Promise<Buffer | undefined> {
  const [row] = await db.read<ContentPart>({
    name: 'menu-versions-content',
    text: `SELECT substring(v.content FROM 1 FOR ${PART_BYTES}) AS content, octet_length(v.content) AS content_bytes
      FROM menu_versions v WHERE v.store_key = $1 AND v.version = $2`,
    values: [storeKey, version],
  });
  return row && withRest(db, storeKey, version, row);
}

export async function readVersionContent(db: Queryable, storeKey: number, version: number): Promise<Buffer> {
  return requireFound(await readContent(db, storeKey, version), 'Menu version');
}

/** undefined where the version is no longer kept. */
async function withRest(
  db: Queryable,
  storeKey: number,
  version: number,
  first: ContentPart,
): Promise<Buffer | undefined> {
  const parts = [first.content ?? Buffer.alloc(0)];
  for (let from = PART_BYTES; from < (first.content_bytes ?? 0); from += PART_BYTES) {
    const [row] = await db.read<{ content: Buffer }>({
      name: 'menu-versions-content-part',
      text: `SELECT substring(v.content FROM $3 FOR ${PART_BYTES}) AS content
        FROM menu_versions v WHERE v.store_key = $1 AND v.version = $2`,
      values: [storeKey, version, from + 1],
    });
    if (row === undefined) return undefined;
    parts.push(row.content);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
