/** A row without its columns that are null, as optional members are absent in code and in JSON. */
export function withoutNulls<Row extends object>(row: Row) {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [Column in keyof Row]: Exclude<Row[Column], null>;
  };
}
