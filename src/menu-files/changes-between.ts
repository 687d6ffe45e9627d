import { isMap } from '../support/maps.js';
import type { MenuChange } from '../menus/publish/changes.js';
import { entitiesOf, KINDS } from '../menus/kinds.js';
import { MOST_CHANGES, type MenuConfiguration } from '../menus/shapes.js';

/**
 * The changes that make one menu out of another, but for the order of its entities; undefined where they are more than a
 * request takes.
 */
export function changesBetween(
  before: MenuConfiguration,
  after: MenuConfiguration,
): MenuChange[] | undefined {
  const changes = KINDS.flatMap((kind) => {
    const old = new Map(entitiesOf(before, kind).map((entity) => [entity.external_id, entity]));
    const stated = entitiesOf(after, kind).flatMap((entity): MenuChange[] => {
      const { external_id } = entity;
      const known = old.get(external_id);
      old.delete(external_id);
      if (known === undefined) return [{ kind, external_id, add: true, set: { ...entity } }];
      const set = patchBetween(known, entity);
      return Object.keys(set).length === 0 ? [] : [{ kind, external_id, set }];
    });
    return [
      ...stated,
      ...[...old.keys()].map((external_id) => ({ kind, external_id, remove: true as const })),
    ];
  });
  return changes.length > MOST_CHANGES ? undefined : changes;
}

/** The JSON Merge Patch (RFC 7396) that turns one map into the other. */
function patchBetween(before: object, after: object): Record<string, unknown> {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const gone = [...from.keys()].filter((key) => !to.has(key)).map((key) => [key, null] as const);
  const changed = [...to].flatMap(([key, value]): [string, unknown][] => {
    const old: unknown = from.get(key);
    if (JSON.stringify(old) === JSON.stringify(value)) return [];
    return [[key, isMap(old) && isMap(value) ? patchBetween(old, value) : value]];
  });
  return Object.fromEntries([...gone, ...changed]);
}
