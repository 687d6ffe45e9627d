import { DIETARY_LABELS } from '../../menus/shapes.js';
import { markText as markCell, unmarkText as unmarkCell } from '../../support/csv.js';
import { formatHours, parseHours } from '../../calendar/hours-text.js';
import { formatAmount, parseAmount } from './money.js';

export interface SheetFormat {
  /** The store's; without one, amounts are in the minor unit. */
  readonly currency: string | undefined;
  readonly decimalSign: '.' | ',';
}

/** What is wrong with a cell. */
export class CellError extends Error {}

/** How the values of a field are written in a cell. A blank cell is never read: it means that the field is not stated. */
export interface Codec {
  write(value: unknown, format: SheetFormat): string;
  /** Throws a CellError. */
  read(cell: string, format: SheetFormat): unknown;
}

/** Empty text, which would look like nothing, is an apostrophe alone. */
export function markText(text: string): string {
  return text === '' ? "'" : markCell(text);
}

export function unmarkText(cell: string): string {
  return cell === "'" ? '' : unmarkCell(cell);
}

const quoted = (cell: string) => `"${cell.trim()}"`;

export const text: Codec = {
  write: (value) => markText(value as string),
  read: unmarkText,
};

export const money: Codec = {
  write: (value, { currency, decimalSign }) => formatAmount(value as number, currency, decimalSign),
  read: (cell, { currency }) => readAmount(cell, currency),
};

export function readAmount(cell: string, currency: string | undefined): number {
  const amount = parseAmount(unmarkText(cell), currency);
  if (amount !== undefined) return amount;
  throw new CellError(
    currency === undefined
      ? `not an amount in the minor unit (the store has no currency): ${quoted(cell)}`
      : `not an amount in ${currency}: ${quoted(cell)}`,
  );
}

export const count: Codec = {
  write: (value) => String(value),
  read: (cell) => {
    const number = Number(cell.trim());
    if (/^\d+$/.test(cell.trim()) && Number.isSafeInteger(number)) return number;
    throw new CellError(`not a whole number: ${quoted(cell)}`);
  },
};

export const decimal: Codec = {
  write: (value, { decimalSign }) => String(value).replace('.', decimalSign),
  read: (cell) => {
    const plain = unmarkText(cell).replace(/\s*%$/, '').replace(',', '.');
    if (/^\d*\.?\d+(?:e[+-]?\d+)?$/i.test(plain)) return Number(plain);
    throw new CellError(`not a number: ${quoted(cell)}`);
  },
};

const YES = ['yes', 'y', 'true', '1', 'x'];
const NO = ['no', 'n', 'false', '0'];

export const yesNo: Codec = {
  write: (value) => (value === true ? 'yes' : 'no'),
  read: (cell) => {
    const word = cell.trim().toLowerCase();
    if (YES.includes(word)) return true;
    if (NO.includes(word)) return false;
    throw new CellError(`neither yes nor no: ${quoted(cell)}`);
  },
};

export const hours: Codec = {
  write: (value) => formatHours(value as Parameters<typeof formatHours>[0]),
  read: (cell) => {
    const read = parseHours(cell);
    if (typeof read !== 'string') return read;
    throw new CellError(`not hours such as "Mon-Fri 07:00-11:30; Sat 08:00-13:00": "${read}"`);
  },
};

/** Elements stand between bars. A backslash keeps a bar, a backslash or an outer space as it is. */
export const list: Codec = {
  write: (value) =>
    markText(
      (value as string[])
        .map((element) => element.replace(/[\\|]/g, '\\$&').replace(/^\s|\s$/g, '\\$&'))
        .join('|'),
    ),
  read: (cell) => splitList(unmarkText(cell)),
};

const LABELS: readonly string[] = DIETARY_LABELS;

export const labels: Codec = {
  write: (value) => markText((value as string[]).join('|')),
  read: (cell) =>
    splitList(unmarkText(cell)).map((word) => {
      const label = word.toUpperCase().replaceAll(/[\s-]+/g, '_');
      if (LABELS.includes(label)) return label;
      throw new CellError(`not a dietary label (${LABELS.join(', ')}): ${quoted(word)}`);
    }),
};

const LIST_PART = /\\([^])|(\|)|(\s+)|([^\\|\s]+|\\$)/g;

function splitList(cell: string): string[] {
  const elements: string[] = [];
  let [element, space] = ['', ''];
  for (const [, escaped, bar, blank, plain] of cell.matchAll(LIST_PART)) {
    if (bar !== undefined) {
      elements.push(element);
      [element, space] = ['', ''];
    } else if (blank !== undefined) space = element === '' ? '' : blank;
    else {
      element += space + (escaped ?? plain ?? '');
      space = '';
    }
  }
  return [...elements, element].filter((one) => one !== '');
}
