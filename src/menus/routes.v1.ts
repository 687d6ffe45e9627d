import { Type } from '../support/shape/type.js';
import type { RequestedStore } from '../access/api-key-lookup.sql.js';
import type { Coding } from '../http/content-coding.js';
import { exampleIds } from '../support/example-ids.js';
import { menuExample } from './example.js';
import type { MenuForm } from './publish/prepared-menu.js';
import { entityLimits, MenuConfigurationFlat, menuConfigurationRequest } from './shapes.js';
import { MenuConfigurationTree } from './response-shapes.js';
import {
  matchesEtag,
  jsonBytes,
  negotiateCoding,
  tagHeaders,
  notModified,
  type Response,
  type RawHeaders,
} from '../http/response.js';
import { problem } from '../http/errors.js';
import { describeTag, IfNoneMatch, storeRoute, type RouteRequest, type Route } from '../http/route.js';
import type { Menus, RenderedMenu } from './rendering/menus.js';
import { publishMenu } from './publish/publish.js';
import type { MenuContext } from './context.js';
import { compileIfMatch, IfMatch, menuTag } from './tags.js';
import { StoreParams } from '../tenants/routes.v1.js';

/** The docs page offers to send the example as it stands: its store must be one that nobody looks at. */
const TrialStoreParams = Type.Object({
  store_service_id: Type.String({ description: 'The id of the store', examples: [exampleIds.trialStore] }),
});

const { Tagged, notModifiedSpec } = describeTag(
  'Depends on version, stock, form and content coding: equal tags mean equal bytes',
);

export function menuRoutes({ menus, limits, queuePublish, publishRate }: MenuContext): Route[] {
  return [
    storeRoute('POST', '/v1/stores/{store_service_id}/menu_configuration/', 'create_menu_configuration', {
      tag: 'Menu',
      summary: 'Create menu configuration',
      description:
        'Replaces the whole configuration of the store atomically. All errors are reported in one response. An external_id keeps its id for ever.',
      permission: 'menu:write',
      params: TrialStoreParams,
      storeRate: publishRate,
      headers: IfMatch,
      body: { kind: 'menu', schema: menuConfigurationRequest(entityLimits(limits)), example: menuExample },
      responses: [
        {
          status: 200,
          description: 'The new tree',
          schema: MenuConfigurationTree,
          headers: Tagged,
        },
        problem(412, 'Someone else has published since'),
      ],
      handler: async (call) => {
        const { store, principal, request } = call;
        const tenant = { ...store, signal: call.signal() };
        const { tree, ...preparedMenu } = await menus.onPublishingThread(
          'prepare',
          call.body,
          tenant,
          'handOver',
        );
        const publishRequest = {
          storeKey: store.storeKey,
          keyId: principal.id,
          preparedMenu,
          limits,
          acceptsCurrent: compileIfMatch(request.headers['if-match'], store.id),
        };
        const { state, additions } = await queuePublish(tenant, () =>
          call.db.transaction((tx) => publishMenu(tx, publishRequest)),
        );
        const coding = negotiateCoding(request.headers['accept-encoding']);
        // Not given up when the publisher has left: the next reader wants it as well.
        const { counts, statedOutOfStock, standsFor } = preparedMenu;
        const menu =
          additions === undefined
            ? await menus.read(store, state, 'tree', coding)
            : await menus.publishedTree(
                store,
                state,
                { tree, counts, statedOutOfStock, standsFor, ...additions },
                coding,
              );
        return showMenu(store, menu, 'tree', coding);
      },
    }),
    storeRoute('GET', '/v1/stores/{store_service_id}/menu_configuration/', 'get_menu_configuration', {
      tag: 'Menu',
      summary: 'Get menu configuration (tree)',
      description:
        'The current menu with every shared entity nested where it is used. Before the first publication, the list is empty.',
      permission: 'kitchen:read',
      params: StoreParams,
      headers: IfNoneMatch,
      responses: [
        { status: 200, description: 'The tree', schema: MenuConfigurationTree, headers: Tagged },
        notModifiedSpec,
      ],
      handler: (call) => respondWithMenu(menus, call, 'tree'),
    }),
    storeRoute(
      'GET',
      '/v1/stores/{store_service_id}/menu_configuration/flat',
      'get_menu_configuration_flat',
      {
        tag: 'Menu',
        summary: 'Get menu configuration (flat)',
        description:
          'The current menu as five lists that refer to each other by external_id, in the order in which they were posted.',
        permission: 'kitchen:read',
        params: StoreParams,
        headers: IfNoneMatch,
        responses: [
          { status: 200, description: 'The five lists', schema: MenuConfigurationFlat, headers: Tagged },
          notModifiedSpec,
        ],
        handler: (call) => respondWithMenu(menus, call, 'flat'),
      },
    ),
  ];
}

type MenuRequest = Pick<RouteRequest, 'request'> & { readonly store: RequestedStore };

/** The state of the store came with the check of the key, so an unchanged menu is answered from that alone. */
async function respondWithMenu(
  menus: Menus,
  { store, request }: MenuRequest,
  form: MenuForm,
): Promise<Response> {
  const { menu: wanted } = store;
  const coding = negotiateCoding(request.headers['accept-encoding']);
  const tag = menuTag(store.id, wanted, form, coding);
  if (matchesEtag(request.headers['if-none-match'], tag)) return notModified(cachingHeaders(tag));
  return showMenu(store, await menus.read(store, wanted, form, coding), form, coding);
}

function showMenu(store: RequestedStore, menu: RenderedMenu, form: MenuForm, coding: Coding): Response {
  return jsonBytes(menu.body, coding, cachingHeaders(menuTag(store.id, menu.state, form, coding)));
}

function cachingHeaders(tag: string): RawHeaders {
  return [...tagHeaders(tag), 'vary', 'Accept-Encoding'];
}
