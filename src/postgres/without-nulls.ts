import { isMap } from '../support/maps.js';

/** A row without its columns that are null, as optional members are absent in code and in JSON. */
export function withoutNulls<Row extends object>(row: Row) {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [Column in keyof Row]: Exclude<Row[Column], null>;
  };
}

/** The same of JSON that the database has written, to any depth: json_strip_nulls would take a tenth of a key lookup's time. */
export function parseWithoutNulls<T>(text: string): T {
  const value = JSON.parse(text) as Record<string, unknown>;
  dropNulls(value);
  return value as T;
}

function dropNulls(value: Record<string, unknown>): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === null) value[name] = undefined;
    else if (isMap(member)) dropNulls(member);
  }
}
