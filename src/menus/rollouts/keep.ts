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
  return mapEntities(source, (entity, kind) => {
    const kept = own[kind].get(entity.external_id);
    return kept === undefined ? entity : withFields(entity, kept, keep);
  });
}

function withFields(entity: object, kept: object, keep: readonly string[]): object {
  const stays = ([field]: [string, unknown]) => !keep.includes(field);
  const own = Object.entries(kept).filter(([field]) => keep.includes(field));
  return Object.fromEntries([...Object.entries(entity).filter(stays), ...own]);
}
