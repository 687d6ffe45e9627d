import { formatCsv, markText } from '../support/csv.js';
import { decimalsOf, toDecimal } from '../support/minor-units.js';
import type { Sales, SalesRow } from './shapes.js';

/** The rows of sales as CSV (RFC 4180), amounts with the decimals of the currency, which stands beside them. */
export function toCsv({ by, rows, currency }: Sales): string {
  const amount = (minor: number | undefined) =>
    currency === undefined || minor === undefined ? minor : toDecimal(minor, decimalsOf(currency));
  const isOfUnits = by === 'item' || by === 'category';
  const names = isOfUnits ? (['external_id', 'name'] as const) : [by];
  const figures = [isOfUnits ? 'units' : 'orders', 'price', 'tax'] as const;
  const written = (figure: (typeof figures)[number], row: SalesRow | SalesRow['cancelled']) =>
    figure === 'price' || figure === 'tax' ? amount(row?.[figure]) : row?.[figure];
  const apart = by === 'status' ? [] : (['cancelled', 'rejected'] as const);
  const columns: (readonly [string, (row: SalesRow) => string | number | undefined])[] = [
    ...names.map((name) => [name, (row: SalesRow) => nameIn(row, name)] as const),
    ...figures.map((figure) => [figure, (row: SalesRow) => written(figure, row)] as const),
    ...apart.flatMap((outcome) =>
      figures.map(
        (figure) => [`${outcome}_${figure}`, (row: SalesRow) => written(figure, row[outcome])] as const,
      ),
    ),
    ...(by === 'day' || by === 'weekday' ? partColumns(amount) : []),
    ['currency', () => currency],
  ];
  return formatCsv([
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, valueOf]) => String(valueOf(row) ?? ''))),
  ]);
}

type Amount = (minor: number | undefined) => string | number | undefined;

/** Charges, discounts and tips. */
function partColumns(amount: Amount): (readonly [string, (row: SalesRow) => ReturnType<Amount>])[] {
  return [
    ['charges_price', (row) => amount(row.charges?.price ?? 0)],
    ['charges_tax', (row) => amount(row.charges?.tax ?? 0)],
    ['discounts_price', (row) => amount(row.discounts?.price ?? 0)],
    ['discounts_tax', (row) => amount(row.discounts?.tax ?? 0)],
    ['tip', (row) => amount(row.tip ?? 0)],
  ];
}

/** Ids and names are marked where a spreadsheet would take them for something else; a name is its first translation. */
function nameIn(row: SalesRow, column: keyof SalesRow): string | number | undefined {
  if (column === 'external_id') return markText(row.external_id ?? '');
  if (column === 'source' && row.rest === undefined) return markText(row.source ?? '');
  if (column === 'name' || column === 'source')
    return row.rest === undefined
      ? markText(Object.values(row.name?.translations ?? {})[0] ?? '')
      : `and ${row.rest} more`;
  const value = row[column];
  return typeof value === 'object' ? undefined : value;
}
