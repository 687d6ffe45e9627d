import { requireFound } from '../../support/errors.js';
import type { MenuSource } from '../publish/prepared-menu.js';
import type { Queryable } from '../../postgres/database.js';
import { OVERRIDES_TEXT } from '../stock/stock.sql.js';
import type { MenuState } from './versions.sql.js';

/** All of it as of one moment: one statement sees one snapshot. */
export async function readCurrentMenu(db: Queryable, storeKey: number): Promise<MenuState & MenuSource> {
  const [row] = await db.read<MenuState & { content: Buffer; idsText: string; marksText: string }>({
    name: 'menus-current',
    text: `SELECT s.menu_version AS version, s.stock_revision AS "stockRevision", coalesce(v.content, '') AS content,
        coalesce(array_to_string(v.ids, ','), '') AS "idsText", ${OVERRIDES_TEXT} AS "marksText"
      FROM menu_states s LEFT JOIN menu_versions v ON v.store_key = $1 AND v.version = s.menu_version
      WHERE s.store_key = $1`,
    values: [storeKey],
  });
  return requireFound(row, 'Store');
}

export async function readContent(
  db: Queryable,
  storeKey: number,
  version: number,
): Promise<Buffer | undefined> {
  const [row] = await db.read<{ content: Buffer }>({
    name: 'menu-versions-content',
    text: 'SELECT v.content FROM menu_versions v WHERE v.store_key = $1 AND v.version = $2',
    values: [storeKey, version],
  });
  return row?.content;
}

export async function readVersionContent(db: Queryable, storeKey: number, version: number): Promise<Buffer> {
  return requireFound(await readContent(db, storeKey, version), 'Menu version');
}
