import type { Grouping, Sales, SalesRow } from './shapes.js';

/** The columns that name a row; its figures follow. */
const NAMES: Readonly<Record<Grouping, readonly (keyof SalesRow)[]>> = {
  day: ['day'],
  hour: ['hour'],
  weekday: ['weekday'],
  status: ['status'],
  item: ['external_id', 'name'],
  category: ['external_id', 'name'],
};

/** The rows of sales as CSV (RFC 4180), amounts in the minor unit of the currency. */
export function toCsv({ by, rows }: Sales): string {
  const figures = [by === 'item' || by === 'category' ? 'units' : 'orders', 'price', 'tax'] as const;
  const apart = by === 'status' ? [] : (['cancelled', 'rejected'] as const);
  const columns: (readonly [string, (row: SalesRow) => string | number | undefined])[] = [
    ...NAMES[by].map((name) => [name, (row: SalesRow) => textOf(row[name])] as const),
    ...figures.map((figure) => [figure, (row: SalesRow) => row[figure]] as const),
    ...apart.flatMap((outcome) =>
      figures.map((figure) => [`${outcome}_${figure}`, (row: SalesRow) => row[outcome]?.[figure]] as const),
    ),
  ];
  const lines = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, valueOf]) => cell(valueOf(row)))),
  ];
  return lines.map((cells) => `${cells.join()}\r\n`).join('');
}

/** A name is shown in its first translation. */
function textOf(value: SalesRow[keyof SalesRow]): string | number | undefined {
  if (typeof value !== 'object') return value;
  return 'translations' in value ? Object.values(value.translations)[0] : undefined;
}

/** A spreadsheet takes a text that begins like a formula for one; the apostrophe keeps it a text. */
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
