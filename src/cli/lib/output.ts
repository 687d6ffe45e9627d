import stringWidth from 'string-width';
import { CommandFailed, EXIT } from './errors.js';
import { paint, type Terminal, writeInTime, writeLine } from './terminal.js';
import { cutTo, padTo, toPlain } from './text.js';

/** How a command prints its result: JSON with --json, tables in a terminal, plain lines otherwise. */
export interface Output {
  readonly isJson: boolean;
  list<Row>(rows: readonly Row[], nothing: string, columns: readonly Column<Row>[]): void;
  /** Prints a list out of something; `--json` prints the whole. */
  listOf<Row>(whole: object, rows: readonly Row[], nothing: string, columns: readonly Column<Row>[]): void;
  /** Prints each as it comes, in a line of text or of JSON, at most `count`. */
  each<Row>(rows: AsyncIterable<Row>, count: number | undefined, toLine: (row: Row) => string): Promise<void>;
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
  const listOf: Output['listOf'] = (whole, rows, nothing, columns) => {
    if (isJson) json(whole);
    else if (rows.length === 0) writeLine(terminal.stderr, nothing);
    else printTable(terminal, rows, columns);
  };
  return {
    isJson,
    json,
    list: (rows, nothing, columns) => listOf(rows, rows, nothing, columns),
    listOf,
    each: async (rows, count, toLine) => {
      let printed = 0;
      for await (const row of rows) {
        await writeInTime(terminal.stdout, `${isJson ? JSON.stringify(row) : toLine(row)}\n`);
        printed += 1;
        if (printed === count) break;
      }
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
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : flatten(member, path === '' ? name : `${path}.${name}`),
    );
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
  const cells = rows.map((row) => columns.map(({ value }) => toPlain(value(row) ?? '')));
  if (!terminal.isForPeople) {
    for (const row of cells) writeLine(terminal.stdout, row.join('\t'));
    return;
  }
  const shown = columns.map(({ title, shrinksTo, isExtra }, i) => {
    const ofTitle = stringWidth(title);
    const whole = cells.reduce((most, row) => Math.max(most, stringWidth(row[i] ?? '')), ofTitle);
    return { i, isExtra, whole, width: Math.min(whole, Math.max(shrinksTo ?? whole, ofTitle)) };
  });
  const spare = () => shown.reduce((left, { width }) => left - width - GAP, terminal.columns + GAP);
  while (spare() < 0) {
    const lastExtra = shown.findLastIndex(({ isExtra }) => isExtra === true);
    if (lastExtra === -1) return printBlocks(terminal, cells, columns);
    shown.splice(lastExtra, 1);
  }
  // What is left goes to the columns that were cut.
  for (const column of shown) column.width += Math.min(column.whole - column.width, spare());
  const line = (texts: readonly string[]) =>
    shown
      .map(({ i, width }) => padTo(cutTo(texts[i] ?? '', width), width))
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = line(columns.map(({ title }) => title));
  writeLine(terminal.stdout, paint(terminal, 'bold', head));
  for (const row of cells) writeLine(terminal.stdout, line(row));
}

/** Prints one block per row, headed by its first column. */
function printBlocks(
  terminal: Terminal,
  cells: readonly (readonly string[])[],
  columns: readonly Pick<Column<unknown>, 'title' | 'shrinksTo'>[],
): void {
  const labelWidth = Math.max(...columns.slice(1).map(({ title }) => stringWidth(title)));
  const space = Math.max(8, terminal.columns - labelWidth - 4);
  cells.forEach((row, i) => {
    if (i > 0) writeLine(terminal.stdout, '');
    columns.forEach(({ title, shrinksTo }, column) => {
      const text = row[column] ?? '';
      if (column === 0) writeLine(terminal.stdout, paint(terminal, 'bold', text));
      else if (text !== '') {
        const shown = shrinksTo === undefined ? text : cutTo(text, space);
        writeLine(terminal.stdout, `  ${padTo(title, labelWidth)}  ${shown}`);
      }
    });
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
