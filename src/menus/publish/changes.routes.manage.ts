import { Type } from '../../support/shape/type.js';
import { problem } from '../../http/errors.js';
import type { Response } from '../../http/response.js';
import { storeRoute, type Route } from '../../http/route.js';
import { PreconditionFailed } from '../../support/errors.js';
import { StoreParams } from '../../tenants/routes.manage.js';
import { readContent } from '../versions/contents.sql.js';
import { checkPrepared, publishedSince, publishMenu } from './publish.js';
import type { MenuContext } from '../context.js';
import { withDiff } from '../routes.manage.js';
import { MenuChangeResult } from '../response-shapes.js';
import { MenuChanges } from '../shapes.js';
import { findSoldOut } from '../stock/stock.sql.js';
import { compileIfMatch, IfMatch } from '../tags.js';
import { findNewestVersion } from '../versions/versions.sql.js';

const DryRun = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Answer the same, and publish nothing', examples: [true] }),
  ),
});

/** The price that it has already: whoever tries it on the docs page changes nothing. */
const example = { changes: [{ kind: 'item', external_id: 'flat-white', set: { price: 350 } }] };

export function menuChangeRoutes({ menus, limits, queuePublish, publishRate }: MenuContext): Route[] {
  return [
    storeRoute('PATCH', '/manage/v1/stores/{store_id}/menu', 'change_menu', {
      tag: 'Menu',
      summary: 'Change parts of a menu',
      description:
        'Applies the changes in order to the current version as posted, checks the whole, and publishes it as one version. ' +
        'An error is reported at the change that caused it, else at `["body"]` with the entity in `ctx`. Counts as one publication.',
      permission: 'menu:write',
      params: StoreParams,
      storeRate: publishRate,
      query: DryRun,
      headers: IfMatch,
      body: { kind: 'menu', schema: MenuChanges, example },
      responses: [
        { status: 200, description: 'What has changed', schema: MenuChangeResult },
        problem(412, 'Someone else has published since'),
      ],
      handler: async ({ db, store, principal, query, request, body, signal }) => {
        const { storeKey } = store;
        const tenant = { ...store, signal: signal() };
        const isSeen = compileIfMatch(request.headers['if-match'], store.id) ?? (() => true);

        const change = async (): Promise<Response | undefined> => {
          const base = (await findNewestVersion(db, storeKey))?.version ?? 0;
          const content = await readContent(db, storeKey, base);
          const soldOut = await findSoldOut(db, storeKey);
          const prepared = menus.onPublishingThread('change', { content, body, soldOut }, tenant);
          // Changes that no longer fit a menu of someone else are not what is wrong.
          const { preparedMenu, warnings, diff } = await prepared.catch((error: unknown) => {
            throw isSeen(base) ? error : publishedSince();
          });
          const respond = (version: number) =>
            withDiff(diff, { version, warnings: warnings.shown, warning_count: warnings.count });
          if (query.dry_run === true) {
            if (!isSeen(base)) throw publishedSince();
            await checkPrepared(db, { storeKey, preparedMenu, limits });
            return respond(base);
          }
          const found = { newest: base };
          const acceptsCurrent = (version: number, newest: number) => {
            found.newest = newest;
            return newest === base && isSeen(version);
          };
          const wanted = { storeKey, keyId: principal.id, preparedMenu, limits, acceptsCurrent };
          try {
            return respond((await db.transaction((tx) => publishMenu(tx, wanted))).state.version);
          } catch (error) {
            if (error instanceof PreconditionFailed && found.newest !== base) return undefined;
            throw error;
          }
        };
        return queuePublish(tenant, async () => {
          // Another process may publish between the reading and the writing: the changes are then applied to that.
          for (;;) {
            const response = await change();
            if (response !== undefined) return response;
          }
        });
      },
    }),
  ];
}
