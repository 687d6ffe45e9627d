import { byKind, entitiesOf, mapEntities } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';

/** Fields that a store may keep as they are when it gets the menu of another. */
export const KEPT_FIELDS = [
  'price',
  'tax',
  'price_change',
  'tax_change',
  'availability',
  'in_stock',
  'prep_time',
  'sell_separately',
] as const;
export type KeptField = (typeof KEPT_FIELDS)[number];

/**
 * The source with the target's own values of these fields, in every entity that both have. A field that the target's entity
 * does not state is its own value too: the source's is left out.
 */
export function keepFields(
  source: MenuConfiguration,
  target: MenuConfiguration,
  keep: readonly KeptField[],
): MenuConfiguration {
  if (keep.length === 0) return source;
  const own = byKind(
    (kind) => new Map(entitiesOf(target, kind).map((entity) => [entity.external_id, entity])),
  );
  const isKept = ([field]: [string, unknown]) => (keep as readonly string[]).includes(field);
  return mapEntities(source, (entity, kind) => {
    const kept = own[kind].get(entity.external_id);
    if (kept === undefined) return entity;
    const given = Object.entries(entity).filter((member) => !isKept(member));
    return Object.fromEntries([...given, ...Object.entries(kept).filter(isKept)]);
  });
}
