import Type from 'typebox';
import type { StoreAccess } from '../../db/access.js';
import type { Database } from '../../db/database.js';
import type { MenuState } from '../../db/menu-versions.js';
import type { Coding } from '../../domain/coding.js';
import type { Limits } from '../../domain/limits.js';
import { entityLimits } from '../../domain/menu/entity-limits.js';
import { menuExample } from '../../domain/menu/example.js';
import type { MenuForm } from '../../domain/menu/publication.js';
import { MenuConfigurationFlat, menuConfigurationRequest } from '../../domain/menu/shapes.js';
import { MenuConfigurationTree } from '../../domain/menu/tree-shapes.js';
import { Problem } from '../../http/error-shapes.js';
import { negotiateCoding } from '../../http/content-coding.js';
import { createRateLimit } from '../../http/rate-limit.js';
import { setHeaders, type RawHeaders } from '../../http/raw-headers.js';
import {
  storeOperation,
  type AnswerSpec,
  type Call,
  type Operation,
  type ReadHeaders,
  type ReadyAnswer,
} from '../../http/route.js';
import { jsonHeaders, sendJsonBytes } from '../../http/send-json.js';
import { SENT } from '../../http/sent.js';
import type { Menus, RenderedMenu } from '../../menu-rendering/menus.js';
import { createPublisher } from '../../operations/publish-menu.js';
import { expectedVersion, hasTag, menuTag } from './menu-tags.js';
import { StoreParams } from './stores.js';

export interface MenuContext {
  readonly db: Database;
  readonly menus: Menus;
  readonly limits: Limits;
}

const IfNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({ description: 'Tags of what the client has: 304 if current', examples: ['"an-older-tag"'] }),
  ),
});
const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'Tags of the tree or flat form: 412 if someone has published since',
      examples: ['*'],
    }),
  ),
});

const Tagged = Type.Object({
  ETag: Type.String({
    description:
      'Changes with the version, the sold-out marks, the form and the content coding: equal tags, equal bytes',
  }),
});

const NOT_MODIFIED: AnswerSpec = {
  status: 304,
  description: 'The client has the current bytes already',
  headers: Tagged,
};

export function menuOperations({ db, menus, limits }: MenuContext): Operation[] {
  const { menuPostsPerMinute: perMinute } = limits;
  const takePost = createRateLimit(
    perMinute === 'off' ? 'off' : perMinute / 60,
    perMinute === 'off' ? 1 : perMinute,
  );
  const publish = createPublisher(db);

  return [
    storeOperation({
      method: 'POST',
      path: '/v1/stores/{store_service_id}/menu_configuration/',
      operationId: 'create_menu_configuration',
      tag: 'Menu',
      summary: 'Create menu configuration',
      description:
        'Replaces the whole configuration of the store, atomically. All faults come in one answer. Ids stay with their external_id for ever.',
      permission: 'menu:write',
      params: StoreParams,
      storeParam: 'store_service_id',
      headers: IfMatch,
      body: { kind: 'bytes', schema: menuConfigurationRequest(entityLimits(limits)), example: menuExample },
      answers: [
        { status: 200, description: 'The tree as it is now', schema: MenuConfigurationTree, headers: Tagged },
        { status: 412, description: 'Someone else has published since', schema: Problem },
      ],
      handler: async (call) => {
        const { store, key, request } = call;
        takePost(store.id);
        const publication = await menus.prepare(call.body);
        const isExpected = expectedVersion(request.headers['if-match'], store.id);
        const { state, source } = await publish({
          storeKey: store.storeKey,
          keyId: key.id,
          publication,
          mostTreeBytes: limits.treeBytes,
          isExpected,
        });
        const coding = negotiateCoding(request.headers['accept-encoding']);
        const menu =
          source === undefined
            ? await menus.read(store.storeKey, state, 'tree', coding)
            : await menus.show(store.storeKey, { ...state, ...source }, 'tree', coding);
        return sendMenu(call, menu, 'tree', coding);
      },
    }),
    storeOperation({
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
        NOT_MODIFIED,
      ],
      ready: (store, headers) => readyMenu(menus, store, headers, 'tree'),
      handler: (call) => readMenu(menus, call, 'tree'),
    }),
    storeOperation({
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
        NOT_MODIFIED,
      ],
      ready: (store, headers) => readyMenu(menus, store, headers, 'flat'),
      handler: (call) => readMenu(menus, call, 'flat'),
    }),
  ];
}

/** The state of the store came with the check of the key, so an unchanged menu is answered from that alone. */
function readyMenu(
  menus: Menus,
  store: StoreAccess,
  headers: ReadHeaders,
  form: MenuForm,
): ReadyAnswer | undefined {
  const coding = negotiateCoding(headers['accept-encoding']);
  const wanted = stateOf(store);
  const given = headers['if-none-match'];
  if (given !== undefined) {
    const tag = menuTag(store.id, wanted, form, coding);
    if (hasTag(given, tag)) return { status: 304, headers: cachingHeaders(tag), body: undefined };
  }
  const menu = menus.atHand(store.storeKey, wanted, form, coding);
  if (menu === undefined) return undefined;
  const { state, body } = menu;
  const caching = cachingHeaders(menuTag(store.id, state, form, coding));
  const length = ['content-length', String(body.length)];
  return { status: 200, headers: [...caching, ...jsonHeaders(coding), ...length], body };
}

type MenuCall = Pick<Call, 'request' | 'reply'> & { readonly store: StoreAccess };

async function readMenu(menus: Menus, call: MenuCall, form: MenuForm): Promise<typeof SENT> {
  const { store, request } = call;
  const coding = negotiateCoding(request.headers['accept-encoding']);
  return sendMenu(call, await menus.read(store.storeKey, stateOf(store), form, coding), form, coding);
}

function sendMenu(
  { store, reply }: MenuCall,
  menu: RenderedMenu,
  form: MenuForm,
  coding: Coding,
): typeof SENT {
  setHeaders(reply, cachingHeaders(menuTag(store.id, menu.state, form, coding)));
  return sendJsonBytes(reply, menu.body, coding);
}

function stateOf({ menuVersion, stockRevision }: StoreAccess): MenuState {
  return { version: menuVersion, stockRevision };
}

/** A copy may be kept, but must be held against the tag before each use. */
function cachingHeaders(tag: string): RawHeaders {
  return ['etag', tag, 'cache-control', 'private, no-cache', 'vary', 'Accept-Encoding'];
}
