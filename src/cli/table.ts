import { toPlain } from './plain-text.js';
import { paint, writeLine, type Terminal } from './terminal.js';
import { cutTo, padTo, widthOf } from './text-width.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | undefined;
  /** May be cut to this many columns when space is short; without it the text is always whole. */
  readonly shrinksTo?: number;
  /** May be left out when space is short; of several, the last goes first. */
  readonly isExtra?: true;
}

const GAP = 2;

/** For people: aligned where the width allows, else one block a row. For programs: one tab-separated line a row. */
export function printTable<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { hasTitles = true } = {},
): void {
  const cellsOf = (row: Row, shown: readonly Column<Row>[]) =>
    shown.map((column) => toPlain(column.value(row) ?? ''));
  if (!terminal.isForPeople) {
    for (const row of rows) writeLine(terminal.stdout, cellsOf(row, columns).join('\t'));
    return;
  }
  const shown = fitting(rows, columns, terminal.columns);
  if (shown === undefined) {
    printBlocks(terminal, rows, columns);
    return;
  }
  const widths = shareOut(rows, shown, terminal.columns);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padTo(cutTo(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  const titles = shown.map(({ title }) => title);
  if (hasTitles) writeLine(terminal.stdout, paint(terminal, 'bold', line(titles)));
  for (const row of rows) writeLine(terminal.stdout, line(cellsOf(row, shown)));
}

function wholeWidth<Row>(rows: readonly Row[], { title, value }: Column<Row>): number {
  return rows.reduce((most, row) => Math.max(most, widthOf(toPlain(value(row) ?? ''))), widthOf(title));
}

function leastWidth<Row>(rows: readonly Row[], column: Column<Row>): number {
  const whole = wholeWidth(rows, column);
  const least = Math.max(column.shrinksTo ?? whole, widthOf(column.title));
  return Math.min(whole, least);
}

/** The columns that there is space for, or undefined when not even the necessary ones fit. */
function fitting<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  space: number,
): readonly Column<Row>[] | undefined {
  const needed = columns.reduce((sum, column) => sum + leastWidth(rows, column) + GAP, -GAP);
  if (needed <= space) return columns;
  const lastExtra = columns.findLastIndex(({ isExtra }) => isExtra === true);
  return lastExtra === -1 ? undefined : fitting(rows, columns.toSpliced(lastExtra, 1), space);
}

/** Gives every column its least, then what is left to those that were cut. */
function shareOut<Row>(rows: readonly Row[], columns: readonly Column<Row>[], space: number): number[] {
  const least = columns.map((column) => leastWidth(rows, column));
  let left = space - least.reduce((sum, width) => sum + width + GAP, -GAP);
  return columns.map((column, at) => {
    const wanted = wholeWidth(rows, column) - (least[at] ?? 0);
    const more = Math.min(wanted, left);
    left -= more;
    return (least[at] ?? 0) + more;
  });
}

/** The first column heads the block. */
function printBlocks<Row>(terminal: Terminal, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const [head, ...others] = columns;
  const labelWidth = Math.max(...others.map(({ title }) => widthOf(title)));
  rows.forEach((row, at) => {
    if (at > 0) writeLine(terminal.stdout, '');
    writeLine(terminal.stdout, paint(terminal, 'bold', toPlain(head?.value(row) ?? '')));
    for (const { title, value, shrinksTo } of others) {
      const text = toPlain(value(row) ?? '');
      const space = Math.max(8, terminal.columns - labelWidth - 4);
      const shown = shrinksTo === undefined ? text : cutTo(text, space);
      if (text !== '') writeLine(terminal.stdout, `  ${padTo(title, labelWidth)}  ${shown}`);
    }
  });
}
