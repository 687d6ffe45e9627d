/** An object in a file of another system, and where it stands. */
export interface Part {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Something that the menu has no field for, or that had to be decided. */
export interface Loss {
  /** Such as `items[12].image_url`. */
  readonly place: string;
  readonly message: string;
}

export function rootPart(value: unknown): Part {
  return { path: '', value: isObject(value) ? value : {} };
}

/** The object under a key; an empty one where there is none. */
export function partAt(part: Part, key: string): Part {
  const value = part.value[key];
  return { path: pathTo(part, key), value: isObject(value) ? value : {} };
}

/** The objects in the list under a key. */
export function partsAt(part: Part, key: string): Part[] {
  return listAt(part, key).flatMap((value, i) =>
    isObject(value) ? [{ path: `${pathTo(part, key)}[${i}]`, value }] : [],
  );
}

function listAt(part: Part, key: string): readonly unknown[] {
  const value = part.value[key];
  return Array.isArray(value) ? value : [];
}

/** The texts in the list under a key. */
export function textsAt(part: Part, key: string): string[] {
  return listAt(part, key).filter((value) => typeof value === 'string');
}

/** Ids are numbers in some files. */
export function textAt({ value }: Part, key: string): string | undefined {
  const text = value[key];
  if (typeof text === 'number') return String(text);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function numberAt({ value }: Part, key: string): number | undefined {
  const number = value[key];
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function pathTo({ path }: Part, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

const NO_FIELD = 'no field for it';

/** What an object says beyond the keys that are converted or that say nothing about a menu. */
export function lossesIn(part: Part, known: readonly string[]): Loss[] {
  return Object.entries(part.value)
    .filter(([key, value]) => !known.includes(key) && !saysNothing(value))
    .map(([key]) => ({ place: pathTo(part, key), message: NO_FIELD }));
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.every(saysNothing);
  return isObject(value) && Object.values(value).every(saysNothing);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
