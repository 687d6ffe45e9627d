import { KINDS, REFERENCES, type Kind } from '../../menus/kinds.js';
import { FIELDS_OF } from '../../menus/shapes.js';
import { count, decimal, hours, labels, list, money, text, yesNo, type Codec } from './cells.js';

/** A column that holds one field of an entity; which one can depend on its kind. */
export interface FieldColumn {
  readonly header: string;
  readonly fieldOf: Readonly<Partial<Record<Kind, string>>>;
  readonly codec: Codec;
}

/** Fields with a text in several languages: a column for each, such as `name:en`. */
export const TEXT_FIELDS = ['name', 'description'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What price and tax are called in the kinds that have them. */
export const PRICE_FIELDS: Readonly<Partial<Record<Kind, { readonly price: string; readonly tax: string }>>> =
  {
    item: { price: 'price', tax: 'tax' },
    modifier_item: { price: 'price_change', tax: 'tax_change' },
  };

const CONTENTS = REFERENCES.filter(({ holds }) => holds === 'list');

/** In the order in which they are written. */
export const FIELD_COLUMNS: readonly FieldColumn[] = [
  priceColumn('price'),
  priceColumn('tax'),
  {
    header: 'contains',
    fieldOf: Object.fromEntries(CONTENTS.map(({ from, field }) => [from, field])),
    codec: list,
  },
  { header: 'hours', fieldOf: { menu: 'availability' }, codec: hours },
  sameName('sell_separately', yesNo),
  sameName('in_stock', yesNo),
  sameName('ingredients', text),
  sameName('allergens', text),
  sameName('dietary_labels', labels),
  sameName('prep_time', count),
  sameName('alcohol_by_volume', decimal),
  sameName('type', text),
  sameName('group_min', count),
  sameName('group_max', count),
  sameName('charge_after', count),
  sameName('min_quantity', count),
  sameName('max_quantity', count),
  sameName('default_quantity', count),
  sameName('menu_item_external_id', text),
];

function priceColumn(header: 'price' | 'tax'): FieldColumn {
  const fields = Object.entries(PRICE_FIELDS).map(([kind, names]) => [kind, names[header]]);
  return { header, fieldOf: Object.fromEntries(fields) as FieldColumn['fieldOf'], codec: money };
}

function sameName(field: string, codec: Codec): FieldColumn {
  const kinds = KINDS.filter((kind) => FIELDS_OF[kind].includes(field));
  return { header: field, fieldOf: Object.fromEntries(kinds.map((kind) => [kind, field])), codec };
}

/** What a column of a sheet is for. */
export type Column =
  | { readonly is: 'kind' | 'external_id' | 'remove' | 'price_with_tax' | 'tax_rate' | 'ignored' }
  | { readonly is: 'field'; readonly column: FieldColumn }
  /** Without a language: whether the text is there, though in no language. */
  | { readonly is: 'text'; readonly field: TextField; readonly language?: string };

const OTHERS = ['kind', 'external_id', 'remove', 'price_with_tax', 'tax_rate'] as const;

export const HEADERS: readonly string[] = [
  ...OTHERS,
  ...FIELD_COLUMNS.map(({ header }) => header),
  ...TEXT_FIELDS.map((field) => `${field}:en`),
];

/** A header that is blank or begins with # is for people only. Unknown ones are undefined. */
export function columnOf(header: string, isLanguage: (tag: string) => boolean): Column | undefined {
  const name = header.trim().toLowerCase();
  if (name === '' || name.startsWith('#')) return { is: 'ignored' };
  const other = OTHERS.find((one) => one === name);
  if (other !== undefined) return { is: other };
  const column = FIELD_COLUMNS.find((one) => one.header === name);
  if (column !== undefined) return { is: 'field', column };
  const [before = ''] = header.split(':', 1);
  const field = TEXT_FIELDS.find((one) => one === before.trim().toLowerCase());
  if (field === undefined) return undefined;
  if (before === header) return { is: 'text', field };
  const tag = header.slice(before.length + 1);
  const language = isLanguage(tag) ? tag : tag.trim();
  return language === '' ? undefined : { is: 'text', field, language };
}

/** Which field of this kind the column holds. */
export function fieldIn(column: Column, kind: Kind): string | undefined {
  if (column.is === 'field') return column.column.fieldOf[kind];
  if (column.is === 'text') return FIELDS_OF[kind].includes(column.field) ? column.field : undefined;
  return undefined;
}
