import Type from 'typebox';
import type { StoreAccess } from '../../db/access.js';
import type { Database } from '../../db/database.js';
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
import { storeOperation, type AnswerSpec, type Call, type Operation } from '../../http/route.js';
import { sendJsonBytes } from '../../http/send-body.js';
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

/** A copy may be kept, but must be held against the tag before each use. */
const CACHING = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

const NOT_MODIFIED: AnswerSpec = { status: 304, description: 'The client has the current bytes already' };

export function menuOperations({ db, menus, limits }: MenuContext): Operation[] {
  const { menuPostsPerMinute: perMinute } = limits;
  const takePost = createRateLimit(
    perMinute === 'off' ? 'off' : perMinute / 60,
    perMinute === 'off' ? 1 : perMinute,
  );
  const publish = createPublisher(db, { menus, mostTreeBytes: limits.treeBytes });

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
        { status: 200, description: 'The tree as it is now', schema: MenuConfigurationTree },
        { status: 412, description: 'Someone else has published since', schema: Problem },
      ],
      handler: async (call) => {
        const { store, key, request } = call;
        takePost(store.id);
        const publication = await menus.prepare(call.body);
        const isExpected = expectedVersion(request.headers['if-match'], store.id);
        const wanted = { storeKey: store.storeKey, keyId: key.id, publication };
        const { state, source } = await publish(
          isExpected === undefined ? wanted : { ...wanted, isExpected },
        );
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
      answers: [{ status: 200, description: 'The tree', schema: MenuConfigurationTree }, NOT_MODIFIED],
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
      answers: [{ status: 200, description: 'The five lists', schema: MenuConfigurationFlat }, NOT_MODIFIED],
      handler: (call) => readMenu(menus, call, 'flat'),
    }),
  ];
}

type MenuCall = Pick<Call, 'request' | 'reply'> & { readonly store: StoreAccess };

/** The state of the store came with the check of the key, so an unchanged menu is answered from that alone. */
async function readMenu(menus: Menus, call: MenuCall, form: MenuForm): Promise<typeof SENT> {
  const { store, request, reply } = call;
  const state = { version: store.menuVersion, stockRevision: store.stockRevision };
  const coding = negotiateCoding(request.headers['accept-encoding']);
  const given = request.headers['if-none-match'];
  if (given !== undefined) {
    const tag = menuTag(store.id, state, form, coding);
    if (hasTag(given, tag)) {
      reply
        .code(304)
        .headers({ etag: tag, ...CACHING })
        .send();
      return SENT;
    }
  }
  return sendMenu(call, await menus.read(store.storeKey, state, form, coding), form, coding);
}

function sendMenu(
  { store, reply }: MenuCall,
  menu: RenderedMenu,
  form: MenuForm,
  coding: Coding,
): typeof SENT {
  reply.headers({ etag: menuTag(store.id, menu.state, form, coding), ...CACHING });
  return sendJsonBytes(reply, menu.body, coding);
}
