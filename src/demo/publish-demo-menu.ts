import type { Database } from '../db/database.js';
import { lockMenu } from '../db/menu-versions.js';
import type { TellEvents } from '../domain/event/event.js';
import type { Limits } from '../domain/limits.js';
import type { StockedKind } from '../domain/menu/kinds.js';
import type { Publication } from '../domain/menu/publication.js';
import type { MenuConfiguration } from '../domain/menu/shapes.js';
import { markAll } from '../operations/mark-stock.js';
import { publishMenu } from '../operations/publish-menu.js';
import { demoMenu } from './menu.js';
import type { DemoStore } from './stores.js';

/** In the place of a key's id, for what the demo has done itself. */
export const DEMO_ACTOR = 'demo';

const SOLD_OUT: Readonly<Record<string, readonly (readonly [StockedKind, string])[]>> = {
  madrid: [['item', 'crema-catalana']],
  tokyo: [
    ['item', 'salmon'],
    ['modifier_item', 'oat-milk'],
  ],
  dubai: [['item', 'baklava']],
};

/** Publishes the store's menu and marks what has run out, unless the store has a menu already. */
export async function publishDemoMenu(
  db: Database,
  store: DemoStore,
  prepare: (body: Uint8Array) => Publication,
  limits: Limits,
  tell: TellEvents,
): Promise<void> {
  const { storeKey, code } = store;
  const menu = demoMenu(store);
  const [opening, publication] = [openingMenu(menu), menu].map((each) =>
    prepare(Buffer.from(JSON.stringify(each))),
  ) as [Publication, Publication];
  await db.transaction(async (tx) => {
    if ((await lockMenu(tx, storeKey)).version > 0) return;
    for (const each of [opening, publication])
      await publishMenu(tx, { storeKey, keyId: DEMO_ACTOR, tell, publication: each, limits });
    const soldOut = (SOLD_OUT[code] ?? []).map(([kind, externalId]) => ({
      kind,
      externalId,
      mark: { inStock: false },
      keyId: DEMO_ACTOR,
    }));
    await markAll(tx, storeKey, soldOut, { mostTreeBytes: limits.treeBytes, tell });
  });
}

/** The first version, from before the kitchen stayed open at night: the history has something to show. */
function openingMenu({ menus = [], ...rest }: MenuConfiguration): MenuConfiguration {
  return { ...rest, menus: menus.filter(({ external_id }) => external_id !== 'late-night') };
}
