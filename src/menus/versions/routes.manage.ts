import { createGunzip } from 'node:zlib';
import { Type } from '../../support/shape/type.js';
import type { RequestedStore } from '../../access/api-key-lookup.sql.js';
import { readVersionContent } from './contents.sql.js';
import { findVersion, listVersions } from './versions.sql.js';
import type { Body } from '../../http/content-coding.js';
import { NotFound } from '../../support/errors.js';
import { problem } from '../../http/errors.js';
import { MenuVersion, MenuVersionDiff, MenuVersionList } from '../response-shapes.js';
import { entityLimits, menuConfigurationRequest } from '../shapes.js';
import { json, jsonBytes, negotiateCoding, withHeaders } from '../../http/response.js';
import { Limit } from '../../support/shape/common-shapes.js';
import { storeRoute, type RouteRequest, type Route } from '../../http/route.js';
import { restoreMenu } from '../publish/publish.js';
import type { MenuContext } from '../context.js';
import { respondOnce, IdempotencyHeaders } from '../../http/idempotency.js';
import { StoreParams } from '../../tenants/routes.manage.js';

const VersionNumber = (example: number) =>
  Type.Integer({ minimum: 1, description: 'The number of a version', examples: [example] });
const VersionParams = Type.Object({ ...StoreParams.properties, version: VersionNumber(1) });
// The example is the current version of the demo: whoever tries it on the docs page changes nothing.
const RestoreParams = Type.Object({ ...StoreParams.properties, version: VersionNumber(2) });
const RestoreQuery = Type.Object({
  expect: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The version that you take for the current one; 412 if another is',
      examples: [2],
    }),
  ),
});
const TwoVersions = Type.Object({ ...StoreParams.properties, from: VersionNumber(1), to: VersionNumber(2) });
const VersionPage = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only versions older than this one', examples: [3] }),
  ),
  limit: Limit,
});

type StoreRouteRequest = Pick<RouteRequest, 'db'> & { readonly store: RequestedStore };

export function menuVersionRoutes({ menus, limits, queuePublish }: MenuContext): Route[] {
  const requireVersions = async (
    { db, store }: StoreRouteRequest,
    ...versions: readonly number[]
  ): Promise<void> => {
    for (const version of versions)
      if ((await findVersion(db, store.storeKey, version)) === undefined) throw new NotFound('Menu version');
  };

  return [
    storeRoute('GET', '/manage/v1/stores/{store_id}/menu/versions', 'list_menu_versions', {
      tag: 'Menu',
      summary: 'List the versions of a menu',
      description: 'Newest first. For the next page, pass the last version seen as `before`.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: VersionPage,
      responses: [{ status: 200, description: 'The versions', schema: MenuVersionList }],
      handler: async ({ db, store, query: { before = Number.MAX_SAFE_INTEGER, limit } }) =>
        json({
          current_version: store.menu.version,
          versions: await listVersions(db, store.storeKey, { before, limit }),
        }),
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/menu/versions/{version}', 'get_menu_version', {
      tag: 'Menu',
      summary: 'Get a version as posted',
      description: 'The configuration as it was posted, without nulls and unknown keys.',
      permission: 'kitchen:read',
      params: VersionParams,
      hasLargeResponse: true,
      responses: [
        {
          status: 200,
          description: 'The configuration, without nulls and unknown keys',
          schema: menuConfigurationRequest(entityLimits(limits)),
        },
      ],
      findResource: (call) => requireVersions(call, call.params.version),
      handler: async ({ db, store, params, request }) => {
        const coding = negotiateCoding(request.headers['accept-encoding'], ['gzip']);
        const content = await readVersionContent(db, store.storeKey, params.version);
        const body = coding === 'gzip' ? content : unpacked(content);
        return withHeaders(jsonBytes(body, coding), ['vary', 'Accept-Encoding']);
      },
    }),
    storeRoute('GET', '/manage/v1/stores/{store_id}/menu/versions/{from}/diff/{to}', 'diff_menu_versions', {
      tag: 'Menu',
      summary: 'Compare two versions',
      description: 'What was added, removed and changed between them, by kind.',
      permission: 'kitchen:read',
      params: TwoVersions,
      hasLargeResponse: true,
      responses: [{ status: 200, description: 'The difference', schema: MenuVersionDiff }],
      findResource: (call) => requireVersions(call, call.params.from, call.params.to),
      handler: async ({ store, params: { from, to } }) => {
        const diff = await menus.diffVersions(store, from, to);
        return jsonBytes(Buffer.concat([Buffer.from(`{"from":${from},"to":${to},`), diff.subarray(1)]));
      },
    }),
    storeRoute(
      'POST',
      '/manage/v1/stores/{store_id}/menu/versions/{version}/restore',
      'restore_menu_version',
      {
        tag: 'Menu',
        summary: 'Publish a version again',
        description:
          'Creates a new version with the same ids. Restoring the current version changes nothing.',
        permission: 'menu:write',
        params: RestoreParams,
        query: RestoreQuery,
        headers: IdempotencyHeaders,
        responses: [
          { status: 200, description: 'The current version', schema: MenuVersion },
          problem(412, 'Someone else has published since'),
        ],
        findResource: (call) => requireVersions(call, call.params.version),
        handler: (call) =>
          queuePublish({ ...call.store, signal: call.signal() }, () =>
            respondOnce(call, async (tx) => {
              const { store, principal, params, query } = call;
              const wanted = {
                storeKey: store.storeKey,
                keyId: principal.id,
                version: params.version,
                expect: query.expect,
                limits,
              };
              return { status: 200, body: await restoreMenu(tx, wanted) };
            }),
          ),
      },
    ),
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
