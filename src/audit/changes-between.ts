import { isDeepStrictEqual } from 'node:util';

/** A member whose JSON is longer is told by its length: a log is no place for whole calendars. */
const LONGEST_MEMBER = 2_000;

/** The members that differ, as JSON texts; undefined where both are given and none does. */
export function changesBetween(
  before: object | undefined,
  after: object | undefined,
): { readonly before?: string | undefined; readonly after?: string | undefined } | undefined {
  const [one, other] = [plain(before), plain(after)];
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].filter(
    (name) => !isDeepStrictEqual(one?.[name], other?.[name]),
  );
  if (names.length === 0 && one !== undefined && other !== undefined) return undefined;
  const show = (members: Record<string, unknown> | undefined) =>
    members && JSON.stringify(Object.fromEntries(names.map((name) => [name, shortened(members[name])])));
  return { before: show(one), after: show(other) };
}

/** As it would be in JSON, without what is undefined. */
function plain(value: object | undefined): Record<string, unknown> | undefined {
  return value && (JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
}

function shortened(value: unknown): unknown {
  const { length } = value === undefined ? '' : JSON.stringify(value);
  return length <= LONGEST_MEMBER ? value : { characters: length };
}
