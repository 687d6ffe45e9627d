import { Type } from '../support/shape/type.js';
import { readContent } from './versions/contents.sql.js';
import { findSoldOut } from './stock/stock.sql.js';
import { findVersion } from './versions/versions.sql.js';
import { menuExample } from './example.js';
import { MenuAvailability, MenuCheck } from './response-shapes.js';
import { entityLimits, menuConfigurationRequest } from './shapes.js';
import { Datetime } from '../support/shape/common-shapes.js';
import { jsonBytes, type Response } from '../http/response.js';
import { storeRoute, type Route } from '../http/route.js';
import { checkPrepared } from './publish/publish.js';
import type { MenuContext } from './context.js';
import { StoreParams } from '../tenants/routes.manage.js';

/** For which moment a menu is shown. */
export const MenuMoment = Type.Object({
  at: Type.Optional(
    Datetime({
      description: 'When the order is to be ready. Default: when an order of now would be',
      examples: ['2026-01-05T12:30:00Z'],
    }),
  ),
});

export function menuRoutes({ menus, limits, movedDaysOf, readyFrom }: MenuContext): Route[] {
  return [
    storeRoute('POST', '/manage/v1/stores/{store_id}/menu/check', 'check_menu', {
      tag: 'Menu',
      summary: 'Check a configuration without publishing it',
      description:
        'Returns the 422 that publishing would, or what publishing would change, with warnings about what is probably unintended.',
      permission: 'menu:write',
      params: StoreParams,
      body: { kind: 'menu', schema: menuConfigurationRequest(entityLimits(limits)), example: menuExample },
      responses: [{ status: 200, description: 'The configuration can be published', schema: MenuCheck }],
      handler: async (call) => {
        const { db, store, body, signal } = call;
        const { storeKey, menu } = store;
        const content = await readContent(db, storeKey, menu.version);
        const { preparedMenu, warnings, diff } = await menus.onPublishingThread(
          'review',
          { content, body, soldOut: await findSoldOut(db, storeKey) },
          { ...store, signal: signal() },
        );
        await checkPrepared(db, { storeKey, preparedMenu, limits });
        const version = await findVersion(db, storeKey, menu.version);
        return withDiff(diff, {
          current_version: menu.version,
          is_current: version?.contentHash.equals(preparedMenu.contentHash) ?? false,
          counts: preparedMenu.counts,
          tree_bytes: preparedMenu.minTreeBytes,
          warnings: warnings.shown,
          warning_count: warnings.count,
        });
      },
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/menu/available', 'get_available_menu', {
      tag: 'Menu',
      summary: 'Get what can be ordered at a given time',
      description: 'The menu tree with only what a guest can order, and why the rest is left out.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: MenuMoment,
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'What can be ordered', schema: MenuAvailability }],
      handler: async ({ db: own, store, query }) => {
        const at = query.at === undefined ? await readyFrom(own, store) : Date.parse(query.at);
        const timezone = store.timezone ?? 'UTC';
        const moved = await movedDaysOf(own, store);
        const moment = { at, timezone, moved };
        return jsonBytes(await menus.available(store, moment));
      },
    }),
  ];
}

/** A response that ends with a difference, which is JSON text already. */
export function withDiff(diff: Uint8Array, members: object): Response {
  const head = JSON.stringify(members).slice(0, -1);
  return jsonBytes(Buffer.concat([Buffer.from(`${head},"diff":`), diff, Buffer.from('}')]));
}
