import { didYouMean } from '../../support/did-you-mean.js';
import { columnOf, HEADERS, type Column } from './columns.js';
import { decodeText, parseCsv } from './csv.js';
import { errorAt, SheetErrors, type CellPosition, type SheetError } from './errors.js';

export interface TableRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** A CSV file whose columns are known. */
export interface Table {
  readonly columns: readonly Column[];
  /** Rows with at least one cell that is not blank. */
  readonly rows: readonly TableRow[];
  /** What the reader had to guess. */
  readonly notes: readonly string[];
}

const DELIMITERS = [',', ';', '\t'];
/** Excel's own way to say which character stands between cells. It is no row of the sheet. */
const STATED_DELIMITER = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

export function readTable(bytes: Uint8Array, isLanguage: (tag: string) => boolean): Table {
  const { text, guessed } = decodeText(bytes);
  const notes = guessed === undefined ? [] : [`Not UTF-8: read as ${guessed}.`];
  const stated = STATED_DELIMITER.exec(text);
  const content = text.slice(stated?.[0].length ?? 0);
  const delimiter = stated?.[1] ?? findDelimiter(content, isLanguage);
  const all = parseCsv(content, delimiter).map((cells, row) => ({ row, cells }));
  const [head, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (head === undefined) throw new SheetErrors([{ message: 'The file is empty.' }]);
  const columns = readHeader(head, isLanguage);
  const tooLong = rows.flatMap(({ row, cells }) => {
    const column = cells.findIndex((cell, i) => i >= columns.length && cell.trim() !== '');
    const message = `this cell has no header. Quote cells that contain ${JSON.stringify(delimiter)}.`;
    return column === -1 ? [] : [errorAt({ row, column }, message)];
  });
  if (tooLong.length > 0) throw new SheetErrors(tooLong);
  return { columns, rows, notes };
}

/** The one that makes most columns of the first line known. */
function findDelimiter(content: string, isLanguage: (tag: string) => boolean): string {
  const [firstLine = ''] = /^\s*[^\r\n]*/.exec(content) ?? [];
  const known = (delimiter: string) =>
    firstLine
      .split(delimiter)
      .filter((header) => columnOf(header.replace(/^\s*"|"\s*$/g, ''), isLanguage) !== undefined).length;
  return DELIMITERS.reduce((best, one) => (known(one) > known(best) ? one : best));
}

function readHeader({ row, cells }: TableRow, isLanguage: (tag: string) => boolean): Column[] {
  const errors: SheetError[] = [];
  const refuse = (place: CellPosition, message: string) => errors.push(errorAt(place, message));
  const seen = new Set<string>();
  const columns = cells.map((header, column): Column => {
    const found = columnOf(header, isLanguage);
    const name = JSON.stringify(header.trim());
    if (found === undefined) {
      const hint = didYouMean(header.trim(), HEADERS) || '.';
      refuse(
        { row, column },
        `no column of a menu is called ${name}${hint} Begin it with # to keep it as a remark.`,
      );
      return { is: 'ignored' };
    }
    const identity = JSON.stringify(found);
    if (found.is !== 'ignored' && seen.has(identity)) refuse({ row, column }, `a second column ${name}`);
    seen.add(identity);
    return found;
  });
  if (!columns.some(({ is }) => is === 'external_id'))
    refuse({ row, column: 0 }, 'the sheet has no column external_id');
  if (errors.length > 0) throw new SheetErrors(errors);
  return columns;
}
