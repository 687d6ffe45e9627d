import { createGunzip } from 'node:zlib';
import Type from 'typebox';
import type { RequestedStore } from '../db/callers.js';
import { readVersionContent } from '../db/menu-contents.js';
import { findVersion, listVersions } from '../db/menu-versions.js';
import type { Body } from '../domain/answer-body.js';
import { NotFound } from '../domain/errors.js';
import { MenuVersion, MenuVersionDiff, MenuVersionList } from '../domain/menu/history-shapes.js';
import { entityLimits, menuConfigurationRequest } from '../domain/menu/shapes.js';
import { json, jsonBytes, negotiateGzip, withHeaders } from '../http/answer.js';
import { Limit } from '../domain/shape/common-shapes.js';
import { storeRoute, type Call, type Route } from '../http/route.js';
import { type MenuContext, restoreMenu } from '../operations/publish-menu.js';
import { answerOnce, IdempotencyHeaders } from './idempotency-key.js';
import { StoreParams } from './stores.js';

const VersionNumber = (example: number) =>
  Type.Integer({ minimum: 1, description: 'The number of a version', examples: [example] });
const VersionParams = Type.Object({ ...StoreParams.properties, version: VersionNumber(1) });
// The example is the current version of the demo: whoever tries it on the docs page changes nothing.
const RestoreParams = Type.Object({ ...StoreParams.properties, version: VersionNumber(2) });
const TwoVersions = Type.Object({ ...StoreParams.properties, from: VersionNumber(1), to: VersionNumber(2) });
const VersionPage = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only versions older than this one', examples: [3] }),
  ),
  limit: Limit,
});

type StoreCall = Pick<Call, 'db'> & { readonly store: RequestedStore };

export function menuVersionRoutes({ menus, limits, queuePublication }: MenuContext): Route[] {
  const requireVersions = async ({ db, store }: StoreCall, ...versions: readonly number[]): Promise<void> => {
    for (const version of versions)
      if ((await findVersion(db, store.storeKey, version)) === undefined) throw new NotFound('Menu version');
  };

  return [
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/menu/versions',
      operationId: 'list_menu_versions',
      tag: 'Menu',
      summary: 'List the versions of a menu',
      description: 'The newest first. To go on, ask for those before the last one seen.',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_id',
      query: VersionPage,
      answers: [{ status: 200, description: 'The versions', schema: MenuVersionList }],
      handler: async ({ db, store, query: { before = Number.MAX_SAFE_INTEGER, limit } }) =>
        json({
          current_version: store.menu.version,
          versions: await listVersions(db, store.storeKey, { before, limit }),
        }),
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/menu/versions/{version}',
      operationId: 'get_menu_version',
      tag: 'Menu',
      summary: 'Get a version as it was posted',
      permission: 'read',
      params: VersionParams,
      storeParam: 'store_id',
      hasLargeAnswer: true,
      answers: [
        {
          status: 200,
          description: 'The configuration, without nulls and unknown keys',
          schema: menuConfigurationRequest(entityLimits(limits)),
        },
      ],
      findResource: (call) => requireVersions(call, call.params.version),
      handler: async ({ db, store, params, request }) => {
        const coding = negotiateGzip(request.headers['accept-encoding']);
        const content = await readVersionContent(db, store.storeKey, params.version);
        const body = coding === 'gzip' ? content : unpacked(content);
        return withHeaders(jsonBytes(body, coding), ['vary', 'Accept-Encoding']);
      },
    }),
    storeRoute({
      method: 'GET',
      path: '/manage/v1/stores/{store_id}/menu/versions/{from}/diff/{to}',
      operationId: 'diff_menu_versions',
      tag: 'Menu',
      summary: 'Compare two versions',
      permission: 'read',
      params: TwoVersions,
      storeParam: 'store_id',
      hasLargeAnswer: true,
      answers: [{ status: 200, description: 'What changed from one to the other', schema: MenuVersionDiff }],
      findResource: (call) => requireVersions(call, call.params.from, call.params.to),
      handler: async ({ store, params: { from, to }, gone }) => {
        const diff = await menus.diffVersions({ ...store, gone: gone() }, from, to);
        return jsonBytes(Buffer.concat([Buffer.from(`{"from":${from},"to":${to},`), diff.subarray(1)]));
      },
    }),
    storeRoute({
      method: 'POST',
      path: '/manage/v1/stores/{store_id}/menu/versions/{version}/restore',
      operationId: 'restore_menu_version',
      tag: 'Menu',
      summary: 'Publish a version again',
      description: 'Becomes a new version, with the same ids. Restoring what is current changes nothing.',
      permission: 'menu:write',
      params: RestoreParams,
      storeParam: 'store_id',
      headers: IdempotencyHeaders,
      answers: [{ status: 200, description: 'The version that is current now', schema: MenuVersion }],
      findResource: (call) => requireVersions(call, call.params.version),
      handler: (call) =>
        queuePublication({ ...call.store, gone: call.gone() }, () =>
          answerOnce(call, async (tx) => {
            const { store, principal, params } = call;
            const wanted = {
              storeKey: store.storeKey,
              keyId: principal.id,
              version: params.version,
              limits,
            };
            return { status: 200, body: await restoreMenu(tx, wanted) };
          }),
        ),
    }),
  ];
}

/** At the pace of the client: what it does not read is not unpacked. */
function unpacked(content: Buffer): Body {
  const chunks = (): AsyncIterable<Buffer> => {
    const unpacking = createGunzip();
    unpacking.end(content);
    return unpacking;
  };
  return { heldBytes: content.length, chunks };
}
