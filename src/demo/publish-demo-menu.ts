import type { Database } from '../db/database.js';
import { lockMenu } from '../db/menu-versions.js';
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
): Promise<void> {
  const menu = demoMenu(store);
  const publications = [openingMenu(menu), menu].map((each) => prepare(toBytes(each)));
  const soldOut = SOLD_OUT[store.code] ?? [];
  await publishOnce(db, store.storeKey, publications, { limits, soldOut });
}

interface PublishOptions {
  readonly limits: Limits;
  readonly soldOut?: readonly (readonly [StockedKind, string])[];
}

/** Publishes one after the other, unless the store has a menu already. */
export async function publishOnce(
  db: Database,
  storeKey: number,
  publications: readonly Publication[],
  { limits, soldOut = [] }: PublishOptions,
): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockMenu(tx, storeKey)).version > 0) return;
    for (const publication of publications)
      await publishMenu(tx, { storeKey, keyId: DEMO_ACTOR, publication, limits });
    const marks = soldOut.map(([kind, externalId]) => ({
      kind,
      externalId,
      mark: { inStock: false },
      keyId: DEMO_ACTOR,
    }));
    await markAll(tx, storeKey, marks, limits.treeBytes);
  });
}

export function toBytes(menu: MenuConfiguration): Uint8Array {
  return Buffer.from(JSON.stringify(menu));
}

/** The first version, from before the kitchen stayed open at night: the history has something to show. */
function openingMenu({ menus = [], ...rest }: MenuConfiguration): MenuConfiguration {
  return { ...rest, menus: menus.filter(({ external_id }) => external_id !== 'late-night') };
}
