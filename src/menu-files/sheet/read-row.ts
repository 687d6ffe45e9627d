import { KINDS, NOUN_OF, type Kind } from '../../menus/kinds.js';
import { REQUIRED_FIELDS_OF } from '../../menus/shapes.js';
import { CellError, readAmount, unmarkText, yesNo, type SheetFormat } from './cells.js';
import { fieldIn, PRICE_FIELDS, type Column, type TextField } from './columns.js';
import { parseRate, taxWithin } from './money.js';
import type { TableRow } from './read-table.js';

/** What a row says about an entity. */
export interface RowEdit {
  readonly row: number;
  readonly kind: Kind;
  readonly externalId: string;
  readonly isRemoved: boolean;
  /** Fields that have a column; undefined where the cell is blank. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Languages that have a column; under NO_LANGUAGE, whether the text is there in no language at all. */
  readonly texts: ReadonlyMap<TextField, ReadonlyMap<string, string | undefined>>;
}

export const NO_LANGUAGE = '';

/** The cells of one row. Errors are reported at their cell. */
interface RowReader {
  readonly columns: readonly Column[];
  readonly format: SheetFormat;
  /** The first column of this sort; -1 if there is none. */
  readonly columnOf: (is: Column['is']) => number;
  readonly isBlank: (column: number) => boolean;
  /** undefined where the cell is blank or invalid. */
  readonly read: <T>(column: number, parse: (cell: string) => T) => T | undefined;
  readonly fail: (column: number, message: string) => void;
}

/** undefined where it is unknown which entity the row is about. */
export function readRow(
  { row, cells }: TableRow,
  columns: readonly Column[],
  format: SheetFormat,
  fail: RowReader['fail'],
): RowEdit | undefined {
  const isBlank = (column: number) => (cells[column] ?? '').trim() === '';
  const read: RowReader['read'] = (column, parse) => {
    if (isBlank(column)) return undefined;
    try {
      return parse(cells[column] ?? '');
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      fail(column, error.message);
      return undefined;
    }
  };
  const columnOf: RowReader['columnOf'] = (is) => columns.findIndex((column) => column.is === is);
  const reader = { columns, format, columnOf, isBlank, read, fail };
  const [kindAt, idAt] = [columnOf('kind'), columnOf('external_id')];
  // A list of prices needs no kinds.
  const kind = kindAt === -1 ? 'item' : read(kindAt, readKind);
  const externalId = read(idAt, unmarkText);
  if (kindAt !== -1 && isBlank(kindAt)) fail(kindAt, `the kind is missing (${KINDS.join(', ')})`);
  if (externalId === undefined) fail(idAt, 'the external_id is missing');
  const isRemoved = read(columnOf('remove'), (cell) => yesNo.read(cell, format)) === true;
  if (kind === undefined || externalId === undefined) return undefined;
  const edit = { row, kind, externalId, isRemoved };
  return isRemoved
    ? { ...edit, values: new Map(), texts: new Map() }
    : { ...edit, values: readValues(reader, kind), texts: readTexts(reader, kind) };
}

function readKind(cell: string): Kind {
  const name = cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const kind = KINDS.find((one) => one === name);
  if (kind === undefined) throw new CellError(`not a kind (${KINDS.join(', ')}): "${cell.trim()}"`);
  return kind;
}

function readValues(reader: RowReader, kind: Kind): Map<string, unknown> {
  const { columns, format, isBlank, read, fail } = reader;
  const noun = withArticle(kind);
  const gross = readGross(reader, kind);
  const values = new Map<string, unknown>(gross);
  columns.forEach((column, i) => {
    if (column.is !== 'field') return;
    const { header, codec } = column.column;
    const field = fieldIn(column, kind);
    if (field === undefined) {
      if (!isBlank(i)) fail(i, `${noun} has no ${header}`);
    } else if (gross?.has(field) === true) {
      if (!isBlank(i)) fail(i, `both ${header} and price_with_tax are filled in`);
    } else {
      values.set(
        field,
        read(i, (cell) => codec.read(cell, format)),
      );
      if (isBlank(i) && REQUIRED_FIELDS_OF[kind].includes(field)) fail(i, `${noun} needs ${header}`);
    }
  });
  return values;
}

/** Price and tax out of a price with tax; undefined if the row states none. */
function readGross(reader: RowReader, kind: Kind): Map<string, number> | undefined {
  const { columns, format, columnOf, isBlank, read, fail } = reader;
  const [grossAt, rateAt] = [columnOf('price_with_tax'), columnOf('tax_rate')];
  const filled = [grossAt, rateAt].find((column) => !isBlank(column));
  const fields = PRICE_FIELDS[kind];
  if (filled === undefined) {
    const hasNet = columns.some((column) => column.is === 'field' && column.column.header === 'price');
    if (grossAt !== -1 && !hasNet && fields !== undefined)
      fail(grossAt, `${withArticle(kind)} needs price_with_tax`);
    return undefined;
  }
  if (fields === undefined) {
    fail(filled, `${withArticle(kind)} has no price`);
    return undefined;
  }
  if (isBlank(grossAt) || isBlank(rateAt)) fail(filled, 'price_with_tax and tax_rate need each other');
  const gross = read(grossAt, (cell) => readAmount(cell, format.currency)) ?? 0;
  const rate = read(rateAt, readRate) ?? 0;
  const tax = taxWithin(gross, rate);
  return new Map([
    [fields.price, gross - tax],
    [fields.tax, tax],
  ]);
}

function readRate(cell: string): number {
  const rate = parseRate(unmarkText(cell));
  if (rate === undefined) throw new CellError(`not a tax rate in per cent: "${cell.trim()}"`);
  return rate;
}

function readTexts(reader: RowReader, kind: Kind): RowEdit['texts'] {
  const texts = new Map<TextField, Map<string, string | undefined>>();
  reader.columns.forEach((column, i) => {
    if (column.is !== 'text') return;
    const { field, language } = column;
    if (fieldIn(column, kind) === undefined) {
      if (!reader.isBlank(i)) reader.fail(i, `${withArticle(kind)} has no ${field}`);
      return;
    }
    const value = reader.read(i, unmarkText);
    if (language === undefined && value !== undefined && value !== '')
      reader.fail(i, `say in the header in which language this is, such as ${field}:en`);
    texts.set(
      field,
      (texts.get(field) ?? new Map<string, string | undefined>()).set(language ?? NO_LANGUAGE, value),
    );
  });
  return texts;
}

export function withArticle(kind: Kind): string {
  return `${kind === 'item' ? 'an' : 'a'} ${NOUN_OF[kind]}`;
}
