import { byKind, entitiesOf, offsetsByKind, type Kind } from '../kinds.js';
import { memberOf } from '../../support/maps.js';
import type { MenuConfiguration } from '../shapes.js';
import type { MenuChange } from './changes.js';
import type { StatedStock } from './prepared-menu.js';

/** Whether the entity counts as one that states `in_stock`, where it does. */
type States = (kind: Kind, externalId: string) => boolean;

export function statedStock(configuration: MenuConfiguration, states: States = () => true): StatedStock {
  const offsets = offsetsByKind(configuration);
  const stating = (inStock: boolean) =>
    (['item', 'modifier_item'] as const).flatMap((kind) =>
      entitiesOf(configuration, kind).flatMap((entity, position) =>
        entity.in_stock === inStock && states(kind, entity.external_id) ? [offsets[kind] + position] : [],
      ),
    );
  return {
    statedInStock: Uint32Array.from(stating(true)),
    statedOutOfStock: Uint32Array.from(stating(false)),
  };
}

/** What a change leaves alone keeps its mark. */
export function statingIn(changes: readonly MenuChange[]): States {
  const stated = byKind(
    (kind) =>
      new Set(
        changes.flatMap((change) =>
          change.kind === kind && memberOf(change.set, 'in_stock') !== undefined ? [change.external_id] : [],
        ),
      ),
  );
  return (kind, externalId) => stated[kind].has(externalId);
}

/** What the store keeps of its own stock includes the marks. */
export function missingFrom(current: MenuConfiguration): States {
  const own = byKind((kind) => new Set(entitiesOf(current, kind).map(({ external_id }) => external_id)));
  return (kind, externalId) => !own[kind].has(externalId);
}
