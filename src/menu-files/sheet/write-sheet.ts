import { entitiesOf, KINDS, type Entity, type Kind } from '../../menus/kinds.js';
import type { MenuConfiguration } from '../../menus/shapes.js';
import { markText, type SheetFormat } from './cells.js';
import { FIELD_COLUMNS, PRICE_FIELDS, TEXT_FIELDS, type FieldColumn, type TextField } from './columns.js';
import { formatCsv } from '../../support/csv.js';
import { findRate, formatAmount, formatRate } from './money.js';

interface WriteOptions extends SheetFormat {
  /** Writes prices as guests see them, with the tax rate beside them. */
  readonly withTax?: boolean | undefined;
}

interface SheetRow {
  readonly kind: Kind;
  readonly entity: Entity;
}
interface WrittenColumn {
  readonly header: string;
  readonly cell: (row: SheetRow) => string;
}

/** Without it, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A configuration as CSV: one row an entity, one column a field. Reading it gives the same configuration again. */
export function writeSheet(configuration: MenuConfiguration, options: WriteOptions): string {
  const rows = KINDS.flatMap((kind) => entitiesOf(configuration, kind).map((entity) => ({ kind, entity })));
  const fields = FIELD_COLUMNS.map((column) => fieldColumn(column, options));
  const isPrice = ({ header }: WrittenColumn) => header === 'price' || header === 'tax';
  const prices = fields.filter(isPrice);
  const columns: WrittenColumn[] = [
    { header: 'kind', cell: ({ kind }) => kind },
    { header: 'external_id', cell: ({ entity }) => markText(entity.external_id) },
    ...textColumns('name', rows),
    ...(options.withTax === true ? grossColumns(prices, rows, options) : prices),
    ...fields.filter((column) => !isPrice(column)),
    ...textColumns('description', rows),
    { header: 'remove', cell: () => '' },
  ];
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  // Where the comma is the decimal sign, spreadsheets expect semicolons between cells.
  const delimiter = options.decimalSign === ',' ? ';' : ',';
  return BYTE_ORDER_MARK + formatCsv([columns.map(({ header }) => header), ...cells], delimiter);
}

function fieldColumn({ header, fieldOf, codec }: FieldColumn, format: SheetFormat): WrittenColumn {
  const cell = ({ kind, entity }: SheetRow) => {
    const value = entity[fieldOf[kind] ?? ''];
    return value === undefined ? '' : codec.write(value, format);
  };
  return { header, cell };
}

/** One column for each language, and one that marks texts in no language, where there are any. */
function textColumns(field: TextField, rows: readonly SheetRow[]): WrittenColumn[] {
  const translationsIn = ({ entity }: SheetRow) =>
    (entity[field] as { readonly translations: Readonly<Record<string, string>> } | undefined)?.translations;
  const languages = new Set(rows.flatMap((row) => Object.keys(translationsIn(row) ?? {})));
  if (languages.size === 0 && field === TEXT_FIELDS[0]) languages.add('en');
  const isEmpty = (row: SheetRow) => Object.keys(translationsIn(row) ?? { none: '' }).length === 0;
  const mark = { header: field, cell: (row: SheetRow) => (isEmpty(row) ? markText('') : '') };
  return [
    ...(rows.some(isEmpty) ? [mark] : []),
    ...[...languages].map((language) => ({
      header: `${field}:${language}`,
      cell: (row: SheetRow) => {
        const translations = translationsIn(row) ?? {};
        return Object.hasOwn(translations, language) ? markText(translations[language] ?? '') : '';
      },
    })),
  ];
}

/** A price whose tax follows from no rate keeps its price and tax. */
function grossColumns(
  prices: readonly WrittenColumn[],
  rows: readonly SheetRow[],
  { currency, decimalSign }: SheetFormat,
): WrittenColumn[] {
  const isWithoutRate = (row: SheetRow) => priceOf(row)?.rate === undefined && priceOf(row) !== undefined;
  const withRate = (write: (gross: number, rate: number) => string) => (row: SheetRow) => {
    const { gross = 0, rate } = priceOf(row) ?? {};
    return rate === undefined ? '' : write(gross, rate);
  };
  const kept = prices.map(({ header, cell }) => ({
    header,
    cell: (row: SheetRow) => (isWithoutRate(row) ? cell(row) : ''),
  }));
  return [
    { header: 'price_with_tax', cell: withRate((gross) => formatAmount(gross, currency, decimalSign)) },
    { header: 'tax_rate', cell: withRate((_gross, rate) => formatRate(rate, decimalSign)) },
    ...(rows.some(isWithoutRate) ? kept : []),
  ];
}

function priceOf({ kind, entity }: SheetRow) {
  const fields = PRICE_FIELDS[kind];
  if (fields === undefined) return undefined;
  const [price, tax] = [entity[fields.price], entity[fields.tax]] as [number, number];
  return { gross: price + tax, rate: findRate(price, tax) };
}
