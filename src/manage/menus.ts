import Type from 'typebox';
import { readContent } from '../db/menu-contents.js';
import { findSoldOutModifiers } from '../db/menu-marks.js';
import { findVersion } from '../db/menu-versions.js';
import { menuExample } from '../domain/menu/example.js';
import { MenuAvailability, MenuCheck } from '../domain/menu/history-shapes.js';
import type { Publication } from '../domain/menu/publication.js';
import { entityLimits, menuConfigurationRequest } from '../domain/menu/shapes.js';
import { Datetime } from '../domain/shape/common-shapes.js';
import { jsonBytes } from '../http/answer.js';
import { storeRoute, type Call, type Route } from '../http/route.js';
import type { MenuAsker } from '../menu-rendering/thread-pool.js';
import { checkPublication, type MenuContext } from '../operations/publish-menu.js';
import { StoreParams } from './stores.js';

const At = Type.Object({
  at: Type.Optional(
    Datetime({ description: 'The moment to look at; now if absent', examples: ['2026-01-05T12:30:00Z'] }),
  ),
});

export function menuRoutes({ menus, limits }: MenuContext): Route[] {
  return [
    storeRoute({
      method: 'POST',
      path: '/manage/v1/stores/{store_id}/menu/check',
      operationId: 'check_menu',
      tag: 'Menu',
      summary: 'Check a configuration without publishing it',
      description:
        'Answers the 422 that publishing would, or what publishing would change, with warnings of what is probably not meant.',
      permission: 'menu:write',
      params: StoreParams,
      storeParam: 'store_id',
      body: { kind: 'menu', schema: menuConfigurationRequest(entityLimits(limits)), example: menuExample },
      answers: [{ status: 200, description: 'It could be published', schema: MenuCheck }],
      handler: async (call) => {
        const { db, store } = call;
        const { storeKey, menu } = store;
        const asker = { ...store, gone: call.gone() };
        const publication = await menus.prepare(asker, call.body, await findSoldOutModifiers(db, storeKey));
        await checkPublication(db, { storeKey, publication, limits });
        return jsonBytes(await describeChange({ db, menus }, asker, menu.version, publication));
      },
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/menu/available',
      operationId: 'get_available_menu',
      tag: 'Menu',
      summary: 'What can be ordered at a moment',
      description: 'The tree as a guest can order it then, and why the rest is left out.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      query: At,
      hasLargeAnswer: true,
      answers: [{ status: 200, description: 'What can be ordered', schema: MenuAvailability }],
      handler: async ({ store, query, gone }) => {
        const at = query.at === undefined ? thisSecond() : Date.parse(query.at);
        const timezone = store.timezone ?? 'UTC';
        return jsonBytes(await menus.available({ ...store, gone: gone() }, store.menu, { at, timezone }));
      },
    }),
  ];
}

/** Hours are told to the second, so all who ask within one may share an answer. */
function thisSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000;
}

async function describeChange(
  { db, menus }: Pick<Call, 'db'> & Pick<MenuContext, 'menus'>,
  asker: MenuAsker,
  currentVersion: number,
  publication: Publication,
): Promise<Buffer> {
  const { storeKey } = asker;
  const current = await readContent(db, storeKey, currentVersion);
  const version = await findVersion(db, storeKey, currentVersion);
  const summary = JSON.stringify({
    current_version: currentVersion,
    is_current: version?.contentHash.equals(publication.contentHash) ?? false,
    counts: publication.counts,
    tree_bytes: publication.leastTreeBytes,
    warnings: publication.warnings.shown,
    warning_count: publication.warnings.count,
  });
  const diff = await menus.diff(asker, current, publication.content);
  return Buffer.concat([Buffer.from(`${summary.slice(0, -1)},"diff":`), diff, Buffer.from('}')]);
}
