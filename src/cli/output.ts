import { printTable, type Column } from './table.js';
import { paint, writeLine, type Terminal } from './terminal.js';
import { padTo, toPlain, widthOf } from './text-width.js';

/** How a command shows what it found: as JSON when asked, else for people or plain. */
export interface Output {
  readonly isJson: boolean;
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], nothing: string): void;
  /** One resource, field by field. */
  record(value: object): void;
  /** A sentence about what was done; `value` is what `--json` shows instead. */
  done(sentence: string, value: unknown): void;
  json(value: unknown): void;
  /** A remark for people, beside the output. */
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
    done: (sentence, value) => {
      if (isJson) json(value);
      else writeLine(terminal.stdout, sentence);
    },
    note: (text) => {
      if (!isJson) writeLine(terminal.stderr, paint(terminal, 'dim', text));
    },
  };
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
