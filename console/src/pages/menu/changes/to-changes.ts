import type { Availability, KindDiff, MenuConfigurationRequest, MenuDiff, MultilingualText } from '#sdk';
import { t } from '../../../text/t.js';
import { findRate } from '../../../../../src/menu-files/sheet/money.js';
import { toGross, toList, toText } from '../../../text/format.js';
import { describeHours } from '../../../text/hours.js';

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
      ...changed.map(({ external_id: id, fields }): Change => {
        const sides = {
          before: { entity: old[kind].get(id), among: old },
          after: { entity: fresh[kind].get(id), among: fresh },
        };
        // A path such as `name.translations.en` lies in the field `name`, which tells of all its languages at once.
        const names = [...new Set(fields.map((path) => fieldOf(path.split('.', 1)[0] ?? path)))];
        const told = names.flatMap((field) => toFieldChanges(field, sides.before, sides.after, currency));
        return { kind, is: 'changed', id, name: named(fresh, id), fields: told };
      }),
      ...added.map((id): Change => {
        const fields = describe({ entity: fresh[kind].get(id), among: fresh }, currency);
        return { kind, is: 'added', id, name: named(fresh, id), fields };
      }),
      ...removed.map((id): Change => {
        const facts = describe({ entity: old[kind].get(id), among: old }, currency);
        const fields = facts.map(({ label, after: before }) => ({ label, before, after: '' }));
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
  const label = FIELD_LABELS[field] ?? field;
  const old = valueOf(before.entity, field);
  const fresh = valueOf(after.entity, field);
  if (isText(old) || isText(fresh)) return textChanges(label, old, fresh);
  const tell = tellingOf(field, currency);
  return [{ label, ...apart(old, fresh, tell(old, before), tell(fresh, after)) }];
}

/** How the values of a field are told. */
function tellingOf(field: string, currency: string | undefined): (value: unknown, side: Side) => string {
  const kind = REFERENCES[field];
  if (kind !== undefined) return (value, { among }) => listNames(value, among[kind]);
  if (field in TAX_OF) return (value) => (isPrice(value) ? toGross(value, currency) : NOTHING);
  if (field === 'availability') return (value) => describeHours((value ?? []) as Availability[]);
  return describeValue;
}

/** Values that differ never read the same: where words or looks hide the difference, both are shown as they are written. */
function apart(old: unknown, fresh: unknown, before: string, after: string): Omit<FieldChange, 'label'> {
  const looks = new Set([seen(before), seen(after), '']);
  return looks.size < 3 ? { before: written(old), after: written(fresh) } : { before, after };
}

/** What of a text meets the eye. */
function seen(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{C}/gu, '').replaceAll(/\s+/gu, ' ').trim();
}

function written(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const NOTHING = t('not_stated_inline');

/** A price and the tax on it are told as one: what guests pay. */
const TAX_OF: Readonly<Record<string, string>> = { price: 'tax', price_change: 'tax_change' };

function fieldOf(field: string): string {
  return Object.keys(TAX_OF).find((price) => TAX_OF[price] === field) ?? field;
}

function valueOf(entity: Entity | undefined, field: string): unknown {
  const tax = TAX_OF[field];
  return tax === undefined || entity === undefined ? entity?.[field] : priceOf(entity, field, tax);
}

function priceOf(entity: Entity, price: string, tax: string): Price | undefined {
  const [net, onTop] = [entity[price], entity[tax]];
  return typeof net === 'number' ? { price: net, tax: typeof onTop === 'number' ? onTop : 0 } : undefined;
}

interface Price {
  readonly price: number;
  readonly tax: number;
}

function isPrice(value: unknown): value is Price {
  return typeof value === 'object' && value !== null && 'price' in value;
}

/** What a choice or an item is taxed with before and after, where that is another rate. */
export interface RateChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

export function toRateChanges(
  diff: MenuDiff,
  before: MenuConfigurationRequest,
  after: MenuConfigurationRequest,
): RateChange[] {
  const [old, fresh] = [toEntities(before), toEntities(after)];
  return (['items', 'modifier_items'] as const).flatMap((kind) =>
    diff[kind].changed.flatMap(({ external_id: id }) => {
      const rates = [old, fresh].map((side) => rateOf(side[kind].get(id)));
      const [was, is] = rates;
      return was === undefined || is === undefined || was === is
        ? []
        : [{ name: nameOf(fresh[kind].get(id), id), before: was, after: is }];
    }),
  );
}

/** Undefined where nothing is charged, or no rate gives the tax. */
function rateOf(entity: Entity | undefined): number | undefined {
  if (entity === undefined) return undefined;
  const price = priceOf(entity, 'price', 'tax') ?? priceOf(entity, 'price_change', 'tax_change');
  return price === undefined || price.price === 0 ? undefined : findRate(price.price, price.tax);
}

const REFERENCES: Readonly<Record<string, Kind>> = {
  category_external_ids: 'categories',
  item_external_ids: 'items',
  modifier_external_ids: 'modifier_groups',
  modifier_item_external_ids: 'modifier_items',
};

/** Of what is only on one side: what it is called, what it costs, when it is served, what is in it. */
const TELLING = ['name', 'description', 'price', 'price_change', 'availability', ...Object.keys(REFERENCES)];

/** What is on one side only, beside an empty one. */
function describe(side: Side, currency: string | undefined): FieldChange[] {
  const nowhere = { ...side, entity: undefined };
  return TELLING.filter((field) => side.entity?.[field] !== undefined).flatMap((field) =>
    toFieldChanges(field, nowhere, side, currency).map((change) => ({ ...change, before: '' })),
  );
}

export const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: t('name'),
  description: t('description'),
  price: t('price_with_tax'),
  tax: t('tax'),
  price_change: t('extra_price_with_tax'),
  tax_change: t('extra_tax'),
  sell_separately: t('sold_by_itself'),
  in_stock: t('in_stock'),
  ingredients: t('ingredients'),
  allergens: t('allergens'),
  dietary_labels: t('dietary_labels'),
  prep_time: t('minutes_to_prepare'),
  alcohol_by_volume: t('alcohol_percent_vol'),
  availability: t('serving_hours'),
  category_external_ids: t('categories'),
  item_external_ids: t('items'),
  modifier_external_ids: t('choices'),
  modifier_item_external_ids: t('options'),
  group_min: t('at_least'),
  group_max: t('at_most'),
  charge_after: t('free_of_charge'),
  type: t('type'),
  min_quantity: t('least_quantity'),
  max_quantity: t('largest_quantity'),
  default_quantity: t('usual_quantity'),
  menu_item_external_id: t('stands_for_item'),
};

/** One line for each language in which the texts differ; a text without any is told from none at all. */
function textChanges(label: string, before: unknown, after: unknown): FieldChange[] {
  const old = isText(before) ? before.translations : {};
  const fresh = isText(after) ? after.translations : {};
  const languages = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const told = languages
    .map((language) => ({ language, was: own(old, language), is: own(fresh, language) }))
    .filter(({ was, is }) => was !== is)
    .map(({ language, was, is }) => ({
      label: `${label} (${language})`,
      ...apart(was, is, was ?? NOTHING, is ?? NOTHING),
    }));
  if (told.length > 0) return told;
  return [{ label, before: isText(before) ? EMPTY : NOTHING, after: isText(after) ? EMPTY : NOTHING }];
}

const EMPTY = t('in_no_language');

function own(texts: Readonly<Record<string, string>>, language: string): string | undefined {
  return Object.hasOwn(texts, language) ? texts[language] : undefined;
}

function listNames(value: unknown, entities: ReadonlyMap<string, Entity>): string {
  const ids = Array.isArray(value) ? (value as string[]) : [];
  return ids.length === 0 ? t('none') : toList(ids.map((id) => nameOf(entities.get(id), id)));
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'boolean') return value ? t('yes_inline') : t('no');
  if (Array.isArray(value)) return value.length === 0 ? t('none') : toList(value.map(String));
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
