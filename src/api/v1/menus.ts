import Type from 'typebox';
import type { RequestedStore } from '../../db/callers.js';
import type { MenuState } from '../../db/menu-versions.js';
import type { Coding } from '../../domain/answer-body.js';
import { exampleIds } from '../../domain/example-ids.js';
import { menuExample } from '../../domain/menu/example.js';
import type { MenuForm } from '../../domain/menu/publication.js';
import { entityLimits, MenuConfigurationFlat, menuConfigurationRequest } from '../../domain/menu/shapes.js';
import { MenuConfigurationTree } from '../../domain/menu/tree-shapes.js';
import {
  hasTag,
  jsonBytes,
  negotiateCoding,
  tagHeaders,
  unchanged,
  withHeaders,
  type Answer,
  type RawHeaders,
} from '../../http/answer.js';
import { Problem } from '../../http/errors.js';
import { createRateLimit } from '../../http/request-limits.js';
import { describeTag, IfNoneMatch, storeRoute, type Call, type Route } from '../../http/route.js';
import type { Menus, RenderedMenu } from '../../menu-rendering/menus.js';
import { publishMenu, type MenuContext } from '../../operations/publish-menu.js';
import { StoreParams } from './stores.js';

/** The docs page offers to send the example as it stands: its store must be one that nobody looks at. */
const TrialStoreParams = Type.Object({
  store_service_id: Type.String({ description: 'The id of the store', examples: [exampleIds.trialStore] }),
});

const { Tagged, notModified } = describeTag(
  'Changes with the version, the sold-out marks, the form and the content coding: equal tags, equal bytes',
);

const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'Tags of the tree or flat form: 412 if someone else has published since',
      examples: ['*'],
    }),
  ),
});

const PublishedHeaders = Type.Object({
  ...Tagged.properties,
  'x-comanda-warnings': Type.Optional(
    Type.Integer({
      description:
        'How many things in it are probably not meant, sold-out marks aside; menu/check names them',
      examples: [3],
    }),
  ),
});

export function menuRoutes({ menus, limits, queuePublication }: MenuContext): Route[] {
  const { menuPostsPerMinute: perMinute } = limits;
  return [
    storeRoute({
      method: 'POST',
      path: '/v1/stores/{store_service_id}/menu_configuration/',
      operationId: 'create_menu_configuration',
      tag: 'Menu',
      summary: 'Create menu configuration',
      description:
        'Replaces the whole configuration of the store, atomically. All faults come in one answer. Ids stay with their external_id for ever.',
      permission: 'menu:write',
      params: TrialStoreParams,
      storeParam: 'store_service_id',
      storeRate: perMinute === 'off' ? undefined : createRateLimit(perMinute / 60, perMinute),
      headers: IfMatch,
      body: { kind: 'menu', schema: menuConfigurationRequest(entityLimits(limits)), example: menuExample },
      answers: [
        {
          status: 200,
          description: 'The tree as it is now',
          schema: MenuConfigurationTree,
          headers: PublishedHeaders,
        },
        { status: 412, description: 'Someone else has published since', schema: Problem },
      ],
      handler: async (call) => {
        const { store, principal, request } = call;
        const asker = { ...store, gone: call.gone() };
        // Warned of what was sent alone: what is marked sold out at the moment is no fault of it.
        const publication = await menus.prepare(asker, call.body, []);
        const publishRequest = {
          storeKey: store.storeKey,
          keyId: principal.id,
          publication,
          limits,
          acceptsCurrent: compileIfMatch(request.headers['if-match'], store.id),
        };
        const { state, source } = await queuePublication(asker, () =>
          call.db.transaction((tx) => publishMenu(tx, publishRequest)),
        );
        const coding = negotiateCoding(request.headers['accept-encoding']);
        // Not given up when the publisher has left: the next reader wants it as well.
        const menu =
          source === undefined
            ? await menus.read(store, state, 'tree', coding)
            : await menus.renderPublished(store, { ...state, ...source }, 'tree', coding);
        const answer = showMenu(store, menu, 'tree', coding);
        const { count } = publication.warnings;
        return count === 0 ? answer : withHeaders(answer, ['x-comanda-warnings', String(count)]);
      },
    }),
    storeRoute({
      method: 'GET',
      path: '/v1/stores/{store_service_id}/menu_configuration/',
      operationId: 'get_menu_configuration',
      tag: 'Menu',
      summary: 'Get menu configuration (tree)',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_service_id',
      headers: IfNoneMatch,
      answers: [
        { status: 200, description: 'The tree', schema: MenuConfigurationTree, headers: Tagged },
        notModified,
      ],
      handler: (call) => answerMenuRead(menus, call, 'tree'),
    }),
    storeRoute({
      method: 'GET',
      path: '/v1/stores/{store_service_id}/menu_configuration/flat',
      operationId: 'get_menu_configuration_flat',
      tag: 'Menu',
      summary: 'Get menu configuration (flat)',
      permission: 'read',
      params: StoreParams,
      storeParam: 'store_service_id',
      headers: IfNoneMatch,
      answers: [
        { status: 200, description: 'The five lists', schema: MenuConfigurationFlat, headers: Tagged },
        notModified,
      ],
      handler: (call) => answerMenuRead(menus, call, 'flat'),
    }),
  ];
}

type MenuCall = Pick<Call, 'request' | 'gone'> & { readonly store: RequestedStore };

/** The state of the store came with the check of the key, so an unchanged menu is answered from that alone. */
function answerMenuRead(
  menus: Menus,
  { store, request, gone }: MenuCall,
  form: MenuForm,
): Answer | Promise<Answer> {
  const coding = negotiateCoding(request.headers['accept-encoding']);
  const wanted = store.menu;
  const given = request.headers['if-none-match'];
  if (given !== undefined) {
    const tag = menuTag(store.id, wanted, form, coding);
    if (hasTag(given, tag)) return unchanged(cachingHeaders(tag));
  }
  const cached = menus.cached(store.storeKey, wanted, form, coding);
  if (cached !== undefined) return showMenu(store, cached, form, coding);
  return menus
    .read({ ...store, gone: gone() }, wanted, form, coding)
    .then((menu) => showMenu(store, menu, form, coding));
}

function showMenu(store: RequestedStore, menu: RenderedMenu, form: MenuForm, coding: Coding): Answer {
  return jsonBytes(menu.body, coding, cachingHeaders(menuTag(store.id, menu.state, form, coding)));
}

function cachingHeaders(tag: string): RawHeaders {
  return [...tagHeaders(tag), 'vary', 'Accept-Encoding'];
}

/** The end of the store's id in its tags keeps another store's tag from ever matching. */
const STORE_DIGITS = 12;

/** A strong tag: equal tags mean equal bytes, so it names everything that the bytes depend on. */
function menuTag(storeId: string, state: MenuState, form: MenuForm, coding: Coding): string {
  return `"${state.version}.${state.stockRevision}.${form}.${coding}.${storeId.slice(-STORE_DIGITS)}"`;
}

const MENU_TAG = /^"(\d+)\.\d+\.(?:tree|flat)\.(?:br|gzip|identity)\.([\da-f]+)"$/;

/**
 * If-Match: tells whether a version is one that the client has seen, by any strong tag of the store's tree or flat form;
 * undefined where any version will do.
 */
function compileIfMatch(
  header: string | undefined,
  storeId: string,
): ((version: number) => boolean) | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const given = header.split(',').map((text) => text.trim());
  if (given.includes('*')) return undefined;
  const versions = given.flatMap((text) => {
    const match = MENU_TAG.exec(text);
    return match?.[2] === storeId.slice(-STORE_DIGITS) ? [Number(match[1])] : [];
  });
  return (version) => versions.includes(version);
}
