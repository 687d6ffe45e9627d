import type {
  Category,
  Item,
  Menu,
  MenuConfiguration,
  Modifier,
  ModifierGroup,
} from '../domain/menu/shapes.js';
import { choices, type Choices, type Option } from './choices.js';
import type { Dish } from './dish.js';
import { categoryNames, dishesByCategory, type CategoryId } from './dishes.js';
import { hoursOf, type MenuId } from './hours.js';
import type { DemoStore, Texts } from './stores.js';

const CATEGORIES: Readonly<Record<MenuId, readonly CategoryId[]>> = {
  breakfast: ['breakfast', 'coffee', 'cold-drinks'],
  lunch: ['to-share', 'mains', 'sweet', 'cold-drinks', 'beer-and-wine', 'coffee'],
  dinner: ['to-share', 'mains', 'sweet', 'cold-drinks', 'beer-and-wine'],
  'late-night': ['late-night', 'sweet', 'cold-drinks', 'beer-and-wine'],
  bar: ['coffee', 'cold-drinks', 'beer-and-wine'],
};

const MENU_NAMES: Readonly<Record<MenuId, Texts>> = {
  breakfast: { en: 'Breakfast', es: 'Desayuno', ja: 'モーニング', ar: 'قائمة الفطور' },
  lunch: { en: 'Lunch', es: 'Comida', ja: 'ランチ', ar: 'قائمة الغداء' },
  dinner: { en: 'Dinner', es: 'Cena', ja: 'ディナー', ar: 'قائمة العشاء' },
  'late-night': { en: 'Late night', es: 'Madrugada', ja: '深夜', ar: 'آخر الليل' },
  bar: { en: 'Bar, all day', es: 'Barra, todo el día', ja: 'バー（終日）', ar: 'البار، طوال اليوم' },
};

/** The menu of a store, in its languages and its currency. */
export function demoMenu(store: DemoStore): MenuConfiguration {
  const categories = categoriesOf(store);
  return {
    menus: (Object.keys(CATEGORIES) as MenuId[]).map((id): Menu => ({
      external_id: id,
      name: translate(store, MENU_NAMES[id]),
      availability: hoursOf(id),
      category_external_ids: CATEGORIES[id].filter((category) => categories.includes(category)),
    })),
    categories: categories.map((id): Category => ({
      external_id: id,
      name: translate(store, categoryNames[id]),
      item_external_ids: dishesByCategory[id].map((dish) => dish.id),
    })),
    items: dishesOf(store).map((dish) => toItem(store, dish)),
    modifier_groups: choices.map((group) => toGroup(store, group)),
    modifier_items: choices.flatMap(({ options }) => options.map((option) => toModifier(store, option))),
  };
}

export function dishesOf(store: DemoStore): Dish[] {
  return categoriesOf(store).flatMap((category) => [...dishesByCategory[category]]);
}

function categoriesOf(store: DemoStore): CategoryId[] {
  return (Object.keys(dishesByCategory) as CategoryId[]).filter(
    (category) => store.servesAlcohol || category !== 'beer-and-wine',
  );
}

function toItem(store: DemoStore, dish: Dish): Item {
  const price = store.price(dish.cents);
  return {
    external_id: dish.id,
    name: translate(store, dish.name),
    ...(dish.description === undefined ? {} : { description: translate(store, dish.description) }),
    price,
    tax: taxOn(store, price),
    sell_separately: true,
    ...dish.more,
    modifier_external_ids: [...(dish.groups ?? [])],
  };
}

function toGroup(store: DemoStore, group: Choices): ModifierGroup {
  return {
    external_id: group.id,
    type: group.type,
    name: translate(store, group.name),
    group_min: group.least,
    group_max: group.most,
    charge_after: group.free,
    modifier_item_external_ids: group.options.map(({ id }) => id),
  };
}

function toModifier(store: DemoStore, option: Option): Modifier {
  const change = store.price(option.cents);
  return {
    external_id: option.id,
    name: translate(store, option.name),
    price_change: change,
    tax_change: taxOn(store, change),
    min_quantity: 0,
    max_quantity: option.most ?? 1,
    default_quantity: option.isUsual === true ? 1 : 0,
    ...(option.dish === undefined ? {} : { menu_item_external_id: option.dish }),
  };
}

/** Rounds halves away from nothing on both sides, and never yields minus zero. */
export function taxOn(store: DemoStore, price: number): number {
  return Math.sign(price) * Math.round(Math.abs(price) * store.taxRate) || 0;
}

function translate(store: DemoStore, texts: Texts) {
  return { translations: Object.fromEntries(store.languages.map((language) => [language, texts[language]])) };
}
