import stringWidth from 'string-width';
import { CommandFailed, EXIT } from './errors.js';
import { paint, type Terminal, writeLine } from './terminal.js';
import { cutTo, padTo, toPlain } from './text.js';

/** How a command prints its result: JSON with --json, tables in a terminal, plain lines otherwise. */
export interface Output {
  readonly isJson: boolean;
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], nothing: string): void;
  /** Prints one resource, field by field. */
  record(value: object): void;
  /** Prints what was done, then further lines; `--json` prints `value` instead. */
  done(sentence: string, value: unknown, lines?: readonly string[]): void;
  json(value: unknown): void;
  /** Prints a remark on standard error. */
  note(text: string): void;
}

export function createOutput(terminal: Terminal, isJson: boolean): Output {
  const json = (value: unknown) => writeLine(terminal.stdout, JSON.stringify(value, null, 2));
  return {
    isJson,
    json,
    list: (rows, columns, nothing) => {
      if (isJson) json(rows);
      else if (rows.length === 0) writeLine(terminal.stderr, nothing);
      else printTable(terminal, rows, columns);
    },
    record: (value) => {
      if (isJson) json(value);
      else printFields(terminal, value);
    },
    done: (sentence, value, lines = []) => {
      if (isJson) json(value);
      else for (const line of [toPlain(sentence), ...lines]) writeLine(terminal.stdout, line);
    },
    note: (text) => {
      if (!isJson) writeLine(terminal.stderr, paint(terminal, 'dim', toPlain(text)));
    },
  };
}

function printFields(terminal: Terminal, value: object): void {
  const fields = flatten(value, '').map(([name, text]) => [toPlain(name), toPlain(text)] as const);
  if (!terminal.isForPeople) {
    for (const [name, text] of fields) writeLine(terminal.stdout, `${name}\t${text}`);
    return;
  }
  const labelWidth = Math.max(...fields.map(([name]) => stringWidth(name)));
  const isNarrow = fields.some(
    ([, text]) => labelWidth + 2 + Math.min(stringWidth(text), 36) > terminal.columns,
  );
  for (const [name, text] of fields) {
    const label = paint(terminal, 'bold', isNarrow ? name : padTo(name, labelWidth));
    writeLine(terminal.stdout, isNarrow ? `${label}\n  ${text}` : `${label}  ${text}`);
  }
}

/** Paths such as `merchant.brand_name`; lists of plain values stay on one line. */
function flatten(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value)) {
    if (value.every((element) => typeof element !== 'object')) return [[path, value.join(', ')]];
    return value.flatMap((element, i) => flatten(element, `${path}[${i}]`));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : flatten(member, path === '' ? name : `${path}.${name}`),
    );
  }
  return [[path, String(value)]];
}

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | undefined;
  /** Least width when space is short; without it the text is never cut. */
  readonly shrinksTo?: number;
  /** May be dropped when space is short, the last such column first. */
  readonly isExtra?: true;
}

const GAP = 2;

/** In a terminal: aligned columns, or one block per row if too narrow. Otherwise: one tab-separated line per row. */
function printTable<Row>(terminal: Terminal, rows: readonly Row[], columns: readonly Column<Row>[]): void {
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
      .map((cell, i) => padTo(cutTo(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  const titles = shown.map(({ title }) => title);
  writeLine(terminal.stdout, paint(terminal, 'bold', line(titles)));
  for (const row of rows) writeLine(terminal.stdout, line(cellsOf(row, shown)));
}

function wholeWidth<Row>(rows: readonly Row[], { title, value }: Column<Row>): number {
  return rows.reduce(
    (most, row) => Math.max(most, stringWidth(toPlain(value(row) ?? ''))),
    stringWidth(title),
  );
}

function leastWidth<Row>(rows: readonly Row[], column: Column<Row>): number {
  const whole = wholeWidth(rows, column);
  const least = Math.max(column.shrinksTo ?? whole, stringWidth(column.title));
  return Math.min(whole, least);
}

/** The columns that fit, or undefined when not even the required ones do. */
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

/** Gives every column its least width, then shares the rest among those that were cut. */
function shareOut<Row>(rows: readonly Row[], columns: readonly Column<Row>[], space: number): number[] {
  const least = columns.map((column) => leastWidth(rows, column));
  let left = space - least.reduce((sum, width) => sum + width + GAP, -GAP);
  return columns.map((column, i) => {
    const wanted = wholeWidth(rows, column) - (least[i] ?? 0);
    const more = Math.min(wanted, left);
    left -= more;
    return (least[i] ?? 0) + more;
  });
}

/** Prints one block per row, headed by its first column. */
function printBlocks<Row>(terminal: Terminal, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const [head, ...others] = columns;
  const labelWidth = Math.max(...others.map(({ title }) => stringWidth(title)));
  rows.forEach((row, i) => {
    if (i > 0) writeLine(terminal.stdout, '');
    writeLine(terminal.stdout, paint(terminal, 'bold', toPlain(head?.value(row) ?? '')));
    for (const { title, value, shrinksTo } of others) {
      const text = toPlain(value(row) ?? '');
      const space = Math.max(8, terminal.columns - labelWidth - 4);
      const shown = shrinksTo === undefined ? text : cutTo(text, space);
      if (text !== '') writeLine(terminal.stdout, `  ${padTo(title, labelWidth)}  ${shown}`);
    }
  });
}

/**
 * Prints a new resource with its secret. When the first response was lost and the request was retried, the replayed response has
 * no secret, and `replace` is the command that issues another.
 */
export function showSecret(out: Output, made: object, secret: string | undefined, replace: string): void {
  out.record(made);
  if (secret === undefined)
    throw new CommandFailed(
      EXIT.failed,
      `The response with the secret was lost. Get a new one with: comanda ${replace}`,
    );
  out.note('Save the secret now: it is shown only once.');
}
