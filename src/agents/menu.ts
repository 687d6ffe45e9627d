import { isMap, memberOf } from '../support/maps.js';
import { foldName } from '../orders/list/search-text.js';
import { NotFound } from '../support/errors.js';
import { nameOf, namesIn, pick, type Json, type Shown, type Wording } from './show.js';

/** What assistants read of menus: entries of a list, each short, and one item whole. */

type Entity = Readonly<Record<string, unknown>>;

/** The maps in a list of this name. */
export function listIn(value: unknown, name: string): Entity[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list.filter(isMap) : [];
}

const SHORT = namesIn('external_id name price tax price_change tax_change in_stock category menu');

/** Those that say all of these words, in any language of theirs. */
export function showFound(entities: readonly Entity[], { text }: Json, { currency }: Wording) {
  const words = foldName(typeof text === 'string' ? text : '').split(/\s+/);
  const results = entities.filter(({ external_id: id, name, description }) => {
    const texts = [name, description].flatMap((one) => {
      const translations: object = memberOf(one, 'translations') ?? {};
      return Object.values(translations) as unknown[];
    });
    const said = foldName([id, ...texts].join(' '));
    return words.every((word) => said.includes(word));
  });
  const lists = { results: results.map((entity) => pick(entity, SHORT)) };
  return { fields: { currency, count: results.length }, lists } satisfies Shown;
}

const GROUP = namesIn('external_id name group_min group_max charge_after');
const MODIFIER = namesIn(
  'group_external_id external_id name price_change tax_change in_stock min_quantity max_quantity ' +
    'menu_item_external_id',
);
const ITEM = namesIn(
  'external_id id name description price tax in_stock sell_separately ingredients allergens ' +
    'dietary_labels prep_time alcohol_by_volume prep_type',
);
const MOST_LANGUAGES = 20;

/** An item with its groups, and then what can be chosen in them. */
export function showItem(
  items: readonly Entity[],
  groupsOf: (item: Entity) => readonly Entity[],
  { external_id: wanted }: Json,
  { currency }: Wording,
): Shown {
  const item = items.find(({ external_id: id }) => id === wanted);
  if (item === undefined) throw new NotFound('Item');
  const groups = groupsOf(item);
  const translations = Object.entries(memberOf(item['name'], 'translations') ?? {});
  const names = Object.fromEntries(translations.slice(0, MOST_LANGUAGES));
  const modifiers = groups.flatMap(({ external_id: id, modifier_items: list }) =>
    (list as Entity[]).map((modifier) => pick({ ...modifier, group_external_id: id }, MODIFIER)),
  );
  return {
    fields: { currency, ...pick(item, ITEM), names },
    lists: { modifier_groups: groups.map((group) => pick(group, GROUP)), modifiers },
  };
}

/** The groups of an item of the flat form, as the tree has them. */
export function flatGroupsOf(menu: unknown, item: Entity): Entity[] {
  const byId = (list: string) => new Map(listIn(menu, list).map((one) => [one['external_id'], one]));
  const [groups, modifiers] = [byId('modifier_groups'), byId('modifier_items')];
  const among = (all: ReadonlyMap<unknown, Entity>, ids: unknown) =>
    ((ids ?? []) as unknown[]).flatMap<Entity>((id) => all.get(id) ?? []);
  return among(groups, item['modifier_external_ids']).map((group) => ({
    ...group,
    modifier_items: among(modifiers, group['modifier_item_external_ids']),
  }));
}

/** The items of a tree once each, with the names of the menu and the category that show them first. */
export function itemsOfTree(tree: unknown, wording: Wording): Entity[] {
  const found = new Map<unknown, Entity>();
  for (const menu of listIn(tree, 'menu_configuration'))
    for (const category of listIn(menu, 'categories')) {
      const shownIn = { category: nameOf(category['name'], wording), menu: nameOf(menu['name'], wording) };
      for (const item of listIn(category, 'items'))
        if (!found.has(item['external_id'])) found.set(item['external_id'], { ...item, ...shownIn });
    }
  return [...found.values()];
}
