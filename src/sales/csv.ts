import { decimalsOf } from '../support/minor-units.js';
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

/** The rows of sales as CSV (RFC 4180), amounts with the decimals of the currency, which stands beside them. */
export function toCsv({ by, rows, currency }: Sales): string {
  const amount = (minor: number | undefined) =>
    currency === undefined || minor === undefined ? minor : toDecimal(minor, decimalsOf(currency));
  const figures = [by === 'item' || by === 'category' ? 'units' : 'orders', 'price', 'tax'] as const;
  const written = (figure: (typeof figures)[number], row: SalesRow | SalesRow['cancelled']) =>
    figure === 'price' || figure === 'tax' ? amount(row?.[figure]) : row?.[figure];
  const apart = by === 'status' ? [] : (['cancelled', 'rejected'] as const);
  const columns: (readonly [string, (row: SalesRow) => string | number | undefined])[] = [
    ...NAMES[by].map((name) => [name, (row: SalesRow) => textOf(row[name]) ?? restOf(name, row)] as const),
    ...figures.map((figure) => [figure, (row: SalesRow) => written(figure, row)] as const),
    ...apart.flatMap((outcome) =>
      figures.map(
        (figure) => [`${outcome}_${figure}`, (row: SalesRow) => written(figure, row[outcome])] as const,
      ),
    ),
    ['currency', () => currency],
  ];
  const lines = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, valueOf]) => cell(valueOf(row)))),
  ];
  return lines.map((cells) => `${cells.join()}\r\n`).join('');
}

/** `-6.50` of -650; not by division, which is inexact for large amounts. */
function toDecimal(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function restOf(name: keyof SalesRow, { rest }: SalesRow): string | undefined {
  return rest === undefined || name !== 'name' ? undefined : `and ${rest} more`;
}

/** A name is shown in its first translation. */
function textOf(value: SalesRow[keyof SalesRow]): string | number | undefined {
  if (typeof value !== 'object') return value;
  return 'translations' in value ? Object.values(value.translations)[0] : undefined;
}

/** A spreadsheet takes a text that begins like a formula for one; the apostrophe keeps it a text. */
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = LIKE_A_FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
