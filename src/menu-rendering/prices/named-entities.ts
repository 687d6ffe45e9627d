/**
 * The entities of one kind by their external_id, with their names, in a few flat arrays: they change threads without a
 * copy, cost the event loop nothing to receive, and take little more memory than their characters.
 */
export interface NamedEntities {
  /** UTF-16 of all external_ids, one after the other; that of entity n begins at idStarts[n]. */
  readonly ids: Uint16Array<ArrayBuffer>;
  readonly idStarts: Uint32Array<ArrayBuffer>;
  /** The entities in the order of their external_ids. */
  readonly sorted: Uint32Array<ArrayBuffer>;
  /** UTF-8 of all names as JSON. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly nameStarts: Uint32Array<ArrayBuffer>;
}

export function nameEntities(
  entities: readonly { readonly external_id: string; readonly name: unknown }[],
): NamedEntities {
  const text = entities.map(({ external_id }) => external_id).join('');
  const names = entities.map(({ name }) => Buffer.from(JSON.stringify(name)));
  const order = entities.map((_, at) => at);
  const idAt = (at: number) => entities[at]?.external_id ?? '';
  order.sort((one, other) => (idAt(one) < idAt(other) ? -1 : 1));
  return {
    ids: Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    idStarts: startsOf(entities.map(({ external_id }) => external_id.length)),
    sorted: Uint32Array.from(order),
    names: new Uint8Array(Buffer.concat(names)),
    nameStarts: startsOf(names.map(({ length }) => length)),
  };
}

function startsOf(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, at) => {
    starts[at + 1] = (starts[at] ?? 0) + length;
  });
  return starts;
}

/** Halving takes as long for any external_ids, also those that someone has chosen to be slow. */
export function findEntity(entities: NamedEntities, externalId: string): number | undefined {
  const { sorted } = entities;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = sorted[middle] ?? 0;
    const order = compareId(entities, at, externalId);
    if (order === 0) return at;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function compareId({ ids, idStarts }: NamedEntities, at: number, wanted: string): number {
  const start = idStarts[at] ?? 0;
  const length = (idStarts[at + 1] ?? 0) - start;
  const shared = Math.min(length, wanted.length);
  for (let place = 0; place < shared; place += 1) {
    const difference = (ids[start + place] ?? 0) - wanted.charCodeAt(place);
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

/** Finds it among a few given ones. Ids of one menu often begin alike, so they are compared from their end. */
export function findAmong(
  entities: NamedEntities,
  places: readonly number[],
  externalId: string,
): number | undefined {
  return places.find((at) => hasId(entities, at, externalId));
}

function hasId({ ids, idStarts }: NamedEntities, at: number, wanted: string): boolean {
  const start = idStarts[at] ?? 0;
  if ((idStarts[at + 1] ?? 0) - start !== wanted.length) return false;
  for (let place = wanted.length - 1; place >= 0; place -= 1)
    if (ids[start + place] !== wanted.charCodeAt(place)) return false;
  return true;
}

export function idOf({ ids, idStarts }: NamedEntities, at: number): string {
  return Reflect.apply(
    String.fromCharCode,
    undefined,
    ids.subarray(idStarts[at], idStarts[at + 1]),
  ) as string;
}

/** Gives the JSON text of each name. */
export function nameReader({ names, nameStarts }: NamedEntities): (at: number) => string {
  const text = Buffer.from(names.buffer, names.byteOffset, names.byteLength);
  return (at) => text.toString('utf8', nameStarts[at], nameStarts[at + 1]);
}

export function* allIds(entities: NamedEntities, places?: Iterable<number>): Generator<string> {
  for (const at of places ?? entities.sorted) yield idOf(entities, at);
}
