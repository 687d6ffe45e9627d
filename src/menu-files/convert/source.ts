import { isMap } from '../../support/maps.js';

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
  return new Part('', value, new Map([['', new Set()]]));
}

/** An object in a file of another system, and where it stands; an empty one where there is none. */
export class Part {
  readonly value: Readonly<Record<string, unknown>>;

  constructor(
    readonly path: string,
    value: unknown,
    private readonly reads: Reads,
  ) {
    this.value = isMap(value) ? value : {};
  }

  /** Some programs write `price_money` as `priceMoney`. */
  private keyOf(key: string): string {
    if (Object.hasOwn(this.value, key)) return key;
    const camel = key.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    return Object.hasOwn(this.value, camel) ? camel : key;
  }

  pathTo(key: string): string {
    const own = this.keyOf(key);
    return this.path === '' ? own : `${this.path}.${own}`;
  }

  /** The value under a key. It counts as read. */
  get(key: string): unknown {
    const own = this.keyOf(key);
    const read = this.reads.get(this.path);
    if (read instanceof Set) read.add(own);
    return this.value[own];
  }

  /** Counts keys as read that say nothing about a menu. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.get(key);
  }

  /** Nothing more in it is lost: it is left out as a whole, or used up. */
  settle(): void {
    this.reads.set(this.path, 'settled');
  }

  part(key: string): Part {
    return this.at(this.pathTo(key), this.get(key));
  }

  /** The objects in the list under a key. */
  parts(key: string): Part[] {
    return this.list(key).flatMap((value, i) =>
      isMap(value) ? [this.at(`${this.pathTo(key)}[${i}]`, value)] : [],
    );
  }

  private at(path: string, value: unknown): Part {
    if (!this.reads.has(path)) this.reads.set(path, new Set());
    return new Part(path, value, this.reads);
  }

  private list(key: string): readonly unknown[] {
    const value = this.get(key);
    return Array.isArray(value) ? value : [];
  }

  /** The texts in the list under a key. */
  texts(key: string): string[] {
    return this.list(key).filter((value) => typeof value === 'string');
  }

  /** Ids are numbers in some files. */
  text(key: string): string | undefined {
    const text = this.get(key);
    if (typeof text === 'number') return String(text);
    return typeof text === 'string' && text !== '' ? text : undefined;
  }

  number(key: string): number | undefined {
    const number = this.get(key);
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** What was never read of the object, and of the objects in it that were looked into. */
  losses(): Loss[] {
    const read = this.reads.get(this.path);
    if (!(read instanceof Set)) return [];
    return Object.entries(this.value).flatMap(([key, member]) => {
      const place = this.pathTo(key);
      if (!read.has(key)) return saysNothing(member) ? [] : [{ place, message: 'no field for it' }];
      const parts = Array.isArray(member)
        ? member.map((element, i) => new Part(`${place}[${i}]`, element, this.reads))
        : [new Part(place, member, this.reads)];
      return parts.flatMap((part) => part.losses());
    });
  }
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.every(saysNothing);
  return isMap(value) && Object.values(value).every(saysNothing);
}
