/** A row without its columns that are null, as optional members are absent in code and in JSON. */
export function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
