import type { Availability, KindDiff, MenuConfigurationRequest, MenuDiff, MultilingualText } from '#sdk';
import { toMoney, toText } from '../parts/format.js';
import { describeHours } from '../parts/hours.js';

export const KINDS = ['menus', 'categories', 'items', 'modifier_groups', 'modifier_items'] as const;
export type Kind = (typeof KINDS)[number];

/** One entity that differs, told in the words of a menu rather than of the API. */
export interface Change {
  readonly kind: Kind;
  readonly is: 'added' | 'removed' | 'changed';
  readonly id: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

type Entity = Readonly<Record<string, unknown>> & { readonly external_id: string };
type Entities = Readonly<Record<Kind, ReadonlyMap<string, Entity>>>;

export function toChanges(
  diff: MenuDiff,
  before: MenuConfigurationRequest,
  after: MenuConfigurationRequest,
  currency: string | undefined,
): Change[] {
  const old = toEntities(before);
  const fresh = toEntities(after);
  return KINDS.flatMap((kind) => {
    const { added, removed, changed } = diff[kind];
    const named = (from: Entities, id: string) => nameOf(from[kind].get(id), id);
    return [
      ...changed.map(({ external_id: id, fields }): Change => ({
        kind,
        is: 'changed',
        id,
        name: named(fresh, id),
        fields: fields.flatMap((field) =>
          toFieldChanges(
            field,
            { entity: old[kind].get(id), among: old },
            { entity: fresh[kind].get(id), among: fresh },
            currency,
          ),
        ),
      })),
      ...added.map((id): Change => {
        const facts = describe({ entity: fresh[kind].get(id), among: fresh }, currency);
        const fields = facts.map(({ label, value }) => ({ label, before: '', after: value }));
        return { kind, is: 'added', id, name: named(fresh, id), fields };
      }),
      ...removed.map((id): Change => {
        const facts = describe({ entity: old[kind].get(id), among: old }, currency);
        const fields = facts.map(({ label, value }) => ({ label, before: value, after: '' }));
        return { kind, is: 'removed', id, name: named(old, id), fields };
      }),
    ];
  });
}

export function isEmptyDiff(diff: MenuDiff): boolean {
  return KINDS.every((kind) => countOf(diff[kind]) === 0 && !diff[kind].reordered);
}

function countOf({ added, removed, changed }: KindDiff): number {
  return added.length + removed.length + changed.length;
}

interface Side {
  readonly entity: Entity | undefined;
  readonly among: Entities;
}

function toFieldChanges(
  field: string,
  before: Side,
  after: Side,
  currency: string | undefined,
): FieldChange[] {
  const old = before.entity?.[field];
  const fresh = after.entity?.[field];
  const label = LABELS[field] ?? field;
  const plain = (tell: (value: unknown, side: Side) => string): FieldChange[] => [
    { label, before: tell(old, before), after: tell(fresh, after) },
  ];
  if (isText(old) || isText(fresh)) return textChanges(label, old, fresh);
  if (field in REFERENCES)
    return plain((value, { among }) => listNames(value, among[REFERENCES[field] as Kind]));
  if (MONEY.has(field))
    return plain((value) => (typeof value === 'number' ? toMoney(value, currency) : NOTHING));
  if (field === 'availability') return plain((value) => describeHours((value ?? []) as Availability[]));
  return plain(describeValue);
}

const NOTHING = 'not stated';
const MONEY = new Set(['price', 'tax', 'price_change', 'tax_change']);

const REFERENCES: Readonly<Record<string, Kind>> = {
  category_external_ids: 'categories',
  item_external_ids: 'items',
  modifier_external_ids: 'modifier_groups',
  modifier_item_external_ids: 'modifier_items',
};

/** Of what is only on one side: what it costs, when it is served, what is in it. */
const TELLING = ['price', 'price_change', 'availability', ...Object.keys(REFERENCES)];

function describe(side: Side, currency: string | undefined): { label: string; value: string }[] {
  return TELLING.filter((field) => side.entity?.[field] !== undefined).flatMap((field) =>
    toFieldChanges(field, side, side, currency).map(({ label, after }) => ({ label, value: after })),
  );
}

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  price: 'Price',
  tax: 'Tax',
  price_change: 'Extra price',
  tax_change: 'Extra tax',
  sell_separately: 'Sold by itself',
  in_stock: 'In stock',
  ingredients: 'Ingredients',
  allergens: 'Allergens',
  dietary_labels: 'Dietary labels',
  prep_time: 'Minutes to prepare',
  alcohol_by_volume: 'Alcohol (% vol)',
  availability: 'Serving hours',
  category_external_ids: 'Categories',
  item_external_ids: 'Items',
  modifier_external_ids: 'Choices',
  modifier_item_external_ids: 'Options',
  group_min: 'At least',
  group_max: 'At most',
  charge_after: 'Free of charge',
  type: 'Type',
  min_quantity: 'Least quantity',
  max_quantity: 'Largest quantity',
  default_quantity: 'Usual quantity',
  menu_item_external_id: 'Stands for item',
};

/** One line for each language in which the texts differ. */
function textChanges(label: string, before: unknown, after: unknown): FieldChange[] {
  const old = isText(before) ? before.translations : {};
  const fresh = isText(after) ? after.translations : {};
  const languages = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return languages
    .filter((language) => old[language] !== fresh[language])
    .map((language) => ({
      label: `${label} (${language})`,
      before: old[language] ?? NOTHING,
      after: fresh[language] ?? NOTHING,
    }));
}

function listNames(value: unknown, entities: ReadonlyMap<string, Entity>): string {
  const ids = Array.isArray(value) ? (value as string[]) : [];
  return ids.length === 0 ? 'none' : ids.map((id) => nameOf(entities.get(id), id)).join(', ');
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function isText(value: unknown): value is MultilingualText {
  return typeof value === 'object' && value !== null && 'translations' in value;
}

function nameOf(entity: Entity | undefined, id: string): string {
  const name = entity?.['name'];
  return (isText(name) ? toText(name) : '') || id;
}

function toEntities(configuration: MenuConfigurationRequest): Entities {
  const byId = (list: readonly object[] | null | undefined) =>
    new Map(((list ?? []) as Entity[]).map((entity) => [entity.external_id, entity]));
  const { menus, categories, items, modifier_groups: groups, modifier_items: options } = configuration;
  return {
    menus: byId(menus),
    categories: byId(categories),
    items: byId(items),
    modifier_groups: byId(groups),
    modifier_items: byId(options),
  };
}
