import { memberOf } from '../menus/kinds.js';
import { isMap } from '../support/maps.js';
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
/** Each is looked for in every entry. */
const MOST_WORDS = 20;
const OWN_TEXTS = ['name', 'description'];

/** Those that say all of these words, in any language of theirs. */
export function showFound(entities: readonly Entity[], { text }: Json, { currency }: Wording): Shown {
  const asked = typeof text === 'string' ? text : '';
  const words = foldName(asked).split(/\s+/, MOST_WORDS);
  const found = entities.filter((entity) => {
    const texts = OWN_TEXTS.flatMap((name) => {
      const translations = memberOf(entity[name], 'translations');
      return isMap(translations) ? Object.values(translations) : [];
    });
    const said = foldName([entity['external_id'], ...texts].join(' '));
    return words.every((word) => said.includes(word));
  });
  const list = found.map((entity) => pick(entity, SHORT));
  return { fields: { currency, count: found.length }, list, as: 'results' };
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

/** An item with its groups, each followed by what can be chosen in it. */
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
  return {
    fields: {
      currency,
      ...pick(item, ITEM),
      names: Object.fromEntries(translations.slice(0, MOST_LANGUAGES)),
      modifier_groups: groups.map((group) => pick(group, GROUP)),
    },
    list: groups.flatMap((group) =>
      listIn(group, 'modifier_items').map((modifier) =>
        pick({ ...modifier, group_external_id: group['external_id'] }, MODIFIER),
      ),
    ),
    as: 'modifiers',
  };
}

/** The groups of an item of the flat form, as the tree has them. */
export function flatGroupsOf(menu: unknown, item: Entity): Entity[] {
  const groups = byId(listIn(menu, 'modifier_groups'));
  const modifiers = byId(listIn(menu, 'modifier_items'));
  return idsIn(item, 'modifier_external_ids').flatMap((id) => {
    const group = groups.get(id);
    if (group === undefined) return [];
    const items = idsIn(group, 'modifier_item_external_ids').flatMap((one) => modifiers.get(one) ?? []);
    return { ...group, modifier_items: items };
  });
}

function byId(entities: readonly Entity[]): Map<unknown, Entity> {
  return new Map(entities.map((entity) => [entity['external_id'], entity]));
}

function idsIn(entity: Entity, field: string): unknown[] {
  const ids = entity[field];
  return Array.isArray(ids) ? ids : [];
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
