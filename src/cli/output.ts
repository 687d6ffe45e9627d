import { CommandFailed, EXIT } from './exit-codes.js';
import { toPlain, toSafeJson } from './plain-text.js';
import { printTable, type Column } from './table.js';
import { paint, writeInTime, writeLine, type Terminal } from './terminal.js';
import { padTo, widthOf } from './text-width.js';

/** How a command shows what it found: as JSON when asked, else for people or plain. */
export interface Output {
  readonly isJson: boolean;
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], nothing: string): void;
  /** The same for rows that arrive one by one; they are shown as they do, and never kept all. */
  listAll<Row>(rows: AsyncIterable<Row>, columns: readonly Column<Row>[], nothing: string): Promise<void>;
  /** One resource, field by field. */
  record(value: object): void;
  /** A sentence about what was done, and lines to follow that are ready to be shown; `value` is what `--json` shows instead. */
  done(sentence: string, value: unknown, lines?: readonly string[]): void;
  json(value: unknown): void;
  /** A remark for people, beside the output. */
  note(text: string): void;
}

export function createOutput(terminal: Terminal, isJson: boolean): Output {
  const json = (value: unknown) => writeLine(terminal.stdout, toSafeJson(value, 2));
  return {
    isJson,
    json,
    list: (rows, columns, nothing) => {
      if (isJson) json(rows);
      else if (rows.length === 0) writeLine(terminal.stderr, nothing);
      else printTable(terminal, rows, columns);
    },
    listAll: async (rows, columns, nothing) => {
      if (isJson) await writeJsonList(terminal, rows);
      else if (!(await printTables(terminal, rows, columns))) writeLine(terminal.stderr, nothing);
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

const ROWS_AT_ONCE = 1000;
/** More than any installation has; a list that goes on after them has no end. */
const MOST_ROWS = 10_000_000;

async function writeJsonList(terminal: Terminal, rows: AsyncIterable<unknown>): Promise<void> {
  let lead = '[';
  for await (const batch of inBatches(rows)) {
    const values = batch.map((row) => toSafeJson(row, 2).replaceAll('\n', '\n  '));
    await writeInTime(terminal.stdout, `${lead}\n  ${values.join(',\n  ')}`);
    lead = ',';
  }
  writeLine(terminal.stdout, lead === '[' ? '[]' : '\n]');
}

/** Returns whether there were any. Widths are those of each batch. */
async function printTables<Row>(
  terminal: Terminal,
  rows: AsyncIterable<Row>,
  columns: readonly Column<Row>[],
): Promise<boolean> {
  let isFirst = true;
  for await (const batch of inBatches(rows)) {
    printTable(terminal, batch, columns, { hasTitles: isFirst });
    await writeInTime(terminal.stdout, '');
    isFirst = false;
  }
  return !isFirst;
}

async function* inBatches<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > MOST_ROWS)
      throw new CommandFailed(EXIT.failed, `The list does not end after ${MOST_ROWS} entries.`);
    batch.push(row);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function printFields(terminal: Terminal, value: object): void {
  const fields = flatten(value, '').map(([name, text]) => [toPlain(name), toPlain(text)] as const);
  if (!terminal.isForPeople) {
    for (const [name, text] of fields) writeLine(terminal.stdout, `${name}\t${text}`);
    return;
  }
  const labelWidth = Math.max(...fields.map(([name]) => widthOf(name)));
  const isNarrow = fields.some(([, text]) => labelWidth + 2 + Math.min(widthOf(text), 36) > terminal.columns);
  for (const [name, text] of fields) {
    const label = paint(terminal, 'bold', isNarrow ? name : padTo(name, labelWidth));
    writeLine(terminal.stdout, isNarrow ? `${label}\n  ${text}` : `${label}  ${text}`);
  }
}

/** Paths such as `merchant.brand_name`; lists of plain values stay on one line. */
function flatten(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value)) {
    if (value.every((element) => typeof element !== 'object')) return [[path, value.join(', ')]];
    return value.flatMap((element, at) => flatten(element, `${path}[${at}]`));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : flatten(member, path === '' ? name : `${path}.${name}`),
    );
  }
  return [[path, String(value)]];
}
