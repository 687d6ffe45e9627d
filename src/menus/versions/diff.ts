import { isMap } from '../../support/maps.js';
import { KINDS, LIST_OF, type Entity, type ListName } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';

interface ChangedEntity {
  readonly external_id: string;
  /** Paths such as `price` or `name.translations.en`. */
  readonly fields: readonly string[];
}

interface KindDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedEntity[];
  /** Whether entities that both sides have stand in another order. */
  readonly reordered: boolean;
}

export type MenuDiff = Readonly<Record<ListName, KindDiff>>;

export const EMPTY_CONFIGURATION: MenuConfiguration = { items: [] };

export function diffConfigurations(before: MenuConfiguration, after: MenuConfiguration): MenuDiff {
  const diffs = KINDS.map((kind) => {
    const list = LIST_OF[kind];
    return [list, diffEntities(before[list] ?? [], after[list] ?? [])] as const;
  });
  return Object.fromEntries(diffs) as MenuDiff;
}

function diffEntities(before: readonly Entity[], after: readonly Entity[]): KindDiff {
  const earlier = new Map(before.map((entity) => [entity.external_id, entity]));
  const later = new Set(after.map((entity) => entity.external_id));
  const changed = after.flatMap((entity) => {
    const fields = changedFields(earlier.get(entity.external_id) ?? entity, entity);
    return fields.length === 0 ? [] : [{ external_id: entity.external_id, fields }];
  });
  const kept = before.filter((entity) => later.has(entity.external_id));
  const stayed = after.filter((entity) => earlier.has(entity.external_id));
  return {
    added: after.filter((entity) => !earlier.has(entity.external_id)).map((entity) => entity.external_id),
    removed: before.filter((entity) => !later.has(entity.external_id)).map((entity) => entity.external_id),
    changed,
    reordered: kept.some((entity, index) => entity.external_id !== stayed[index]?.external_id),
  };
}

export function countDifferences(diff: MenuDiff): Record<'added' | 'removed' | 'changed', number> {
  const sum = (part: 'added' | 'removed' | 'changed') =>
    Object.values(diff).reduce((total, kind) => total + kind[part].length, 0);
  return { added: sum('added'), removed: sum('removed'), changed: sum('changed') };
}

/** Maps are compared key by key, lists as a whole. */
function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (before === after) return [];
  if (!isMap(before) || !isMap(after)) return areEqual(before, after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    changedFields(own(before, key), own(after, key), path === '' ? key : `${path}.${key}`),
  );
}

function areEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, index) => areEqual(element, b[index]));
  if (isMap(a) && isMap(b)) return changedFields(a, b).length === 0;
  return a === b;
}

function own(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
