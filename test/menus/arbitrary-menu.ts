import fc from 'fast-check';
import type { MenuConfiguration } from '../../src/menus/shapes.js';

const storable = (text: string) => text.isWellFormed() && !text.includes('\u0000');
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(storable);
const externalId = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter(storable);
const multilingual = fc.record({
  translations: fc.dictionary(fc.constantFrom('en', 'es', 'de-AT', '__proto__', '1'), text, { maxKeys: 3 }),
});
const count = fc.nat({ max: 5 });
const money = fc.nat();
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const clock = fc
  .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const availability = fc.array(
  fc.record({
    day_of_week: fc.constantFrom('Monday', 'tuesday', 'SUNDAY'),
    time_periods: fc.array(
      fc
        .record({ start_time: clock, end_time: clock })
        .filter(({ start_time, end_time }) => start_time !== end_time),
      { maxLength: 2 },
    ),
  }),
  { maxLength: 3 },
);

function withoutUndefined<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const someOf = (ids: readonly string[]) =>
  ids.length === 0 ? fc.constant<string[]>([]) : fc.array(fc.constantFrom(...ids), { maxLength: 5 });
const ids = fc.uniqueArray(externalId, { maxLength: 6 });

/** Any valid configuration, with shared, repeated and unused entities. */
export const anyConfiguration: fc.Arbitrary<MenuConfiguration> = fc
  .record({ menus: ids, categories: ids, items: ids, groups: ids, modifiers: ids })
  .chain((known) =>
    fc.record({
      items: each(known.items, {
        name: multilingual,
        price: money,
        tax: money,
        sell_separately: fc.boolean(),
        description: optional(multilingual),
        in_stock: optional(fc.boolean()),
        ingredients: optional(text),
        allergens: optional(text),
        dietary_labels: optional(fc.subarray(['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'] as const)),
        prep_time: optional(count),
        alcohol_by_volume: optional(fc.constantFrom(0, 4.7, 100)),
        modifier_external_ids: optional(someOf(known.groups)),
      }),
      menus: each(known.menus, {
        availability,
        name: optional(multilingual),
        category_external_ids: optional(someOf(known.categories)),
      }),
      categories: each(known.categories, {
        name: multilingual,
        description: optional(multilingual),
        item_external_ids: optional(someOf(known.items)),
      }),
      modifier_groups: each(known.groups, {
        type: fc.constantFrom('single', 'any'),
        name: multilingual,
        group_max: fc.constantFrom(0, 5),
        group_min: count,
        charge_after: count,
        description: optional(multilingual),
        modifier_item_external_ids: optional(someOf(known.modifiers)),
      }),
      modifier_items: each(known.modifiers, {
        name: multilingual,
        price_change: fc.integer(),
        tax_change: fc.integer(),
        min_quantity: fc.constant(0),
        max_quantity: fc.constant(5),
        default_quantity: count,
        menu_item_external_id:
          known.items.length === 0 ? fc.constant(undefined) : optional(fc.constantFrom(...known.items)),
        description: optional(multilingual),
        in_stock: optional(fc.boolean()),
      }),
    }),
  )
  .map((configuration) => withoutUndefined(configuration) as MenuConfiguration);

function each<T extends object>(
  externalIds: readonly string[],
  fields: { [F in keyof T]: fc.Arbitrary<T[F]> },
): fc.Arbitrary<(T & { external_id: string })[]> {
  const one = (external_id: string) => fc.record(fields).map((entity) => ({ external_id, ...(entity as T) }));
  return externalIds.length === 0 ? fc.constant([]) : fc.tuple(...externalIds.map(one));
}
