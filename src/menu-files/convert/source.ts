/** An object in a file of another system, and where it stands. */
export interface Part {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly reads: Reads;
}

/** Which keys were read of the object at each path; of a settled one nothing more is asked. What was never read is lost. */
type Reads = Map<string, Set<string> | 'settled'>;

/** Something that the menu has no field for, or that had to be decided. */
export interface Loss {
  /** Such as `items[12].image_url`. */
  readonly place: string;
  readonly message: string;
}

/** A file that cannot become a menu at all. */
export class ConversionRefused extends Error {}

export function rootPart(value: unknown): Part {
  return partOf('', isObject(value) ? value : {}, new Map());
}

function partOf(path: string, value: Part['value'], reads: Reads): Part {
  if (!reads.has(path)) reads.set(path, new Set());
  return { path, value, reads };
}

/** Some programs write `price_money` as `priceMoney`. */
function keyIn({ value }: Part, key: string): string {
  if (Object.hasOwn(value, key)) return key;
  const camel = key.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return Object.hasOwn(value, camel) ? camel : key;
}

/** The value under a key. It counts as read. */
export function valueAt(part: Part, key: string): unknown {
  const own = keyIn(part, key);
  const read = part.reads.get(part.path);
  if (read instanceof Set) read.add(own);
  return part.value[own];
}

/** Counts keys as read that say nothing about a menu. */
export function ignoreAt(part: Part, keys: readonly string[]): void {
  for (const key of keys) valueAt(part, key);
}

/** Nothing more in it is lost: it is left out as a whole, or used up. */
export function settle({ reads, path }: Part): void {
  reads.set(path, 'settled');
}

/** The object under a key; an empty one where there is none. */
export function partAt(part: Part, key: string): Part {
  const value = valueAt(part, key);
  return partOf(pathTo(part, key), isObject(value) ? value : {}, part.reads);
}

/** The objects in the list under a key. */
export function partsAt(part: Part, key: string): Part[] {
  const path = pathTo(part, key);
  return listAt(part, key).flatMap((value, i) =>
    isObject(value) ? [partOf(`${path}[${i}]`, value, part.reads)] : [],
  );
}

function listAt(part: Part, key: string): readonly unknown[] {
  const value = valueAt(part, key);
  return Array.isArray(value) ? value : [];
}

/** The texts in the list under a key. */
export function textsAt(part: Part, key: string): string[] {
  return listAt(part, key).filter((value) => typeof value === 'string');
}

/** Ids are numbers in some files. */
export function textAt(part: Part, key: string): string | undefined {
  const text = valueAt(part, key);
  if (typeof text === 'number') return String(text);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export function numberAt(part: Part, key: string): number | undefined {
  const number = valueAt(part, key);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function pathTo(part: Part, key: string): string {
  const own = keyIn(part, key);
  return part.path === '' ? own : `${part.path}.${own}`;
}

const NO_FIELD = 'no field for it';

/** What was never read of an object, and of the objects in it that were looked into. */
export function lossesIn(part: Part): Loss[] {
  const { path, value, reads } = part;
  const read = reads.get(path);
  if (!(read instanceof Set)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = pathTo(part, key);
    if (!read.has(key)) return saysNothing(member) ? [] : [{ place, message: NO_FIELD }];
    const elements = Array.isArray(member) ? (member as unknown[]) : [member];
    return elements.flatMap((element, i) =>
      isObject(element)
        ? lossesIn({ path: Array.isArray(member) ? `${place}[${i}]` : place, value: element, reads })
        : [],
    );
  });
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.every(saysNothing);
  return isObject(value) && Object.values(value).every(saysNothing);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
