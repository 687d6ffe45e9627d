import type { MultilingualText } from '../../support/shape/common-shapes.js';
import { mapEntities, type Entity } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';

type Named = { readonly name?: MultilingualText; readonly description?: MultilingualText };

/**
 * One text for all configurations that are equal: fields stand in the order of the shape already, so only the maps,
 * whose keys have no order, are sorted. Lists keep theirs.
 */
export function canonicalText(configuration: MenuConfiguration): string {
  return JSON.stringify(mapEntities(configuration, withSortedMaps));
}

/** Whether the configuration's own JSON text is the canonical one. */
export function hasSortedMaps(configuration: MenuConfiguration): boolean {
  return Object.values(configuration).every((entities: readonly Named[]) =>
    entities.every(({ name, description }) => isSorted(name) && isSorted(description)),
  );
}

function withSortedMaps(entity: Entity): Entity {
  const { name, description } = entity as Named;
  const copy: Record<string, unknown> & Entity = { ...entity };
  if (name !== undefined) copy['name'] = sorted(name);
  if (description !== undefined) copy['description'] = sorted(description);
  return copy;
}

function isSorted(text: MultilingualText | undefined): boolean {
  let last = '';
  for (const key in text?.translations) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

function sorted({ translations }: MultilingualText): MultilingualText {
  const keys = Object.keys(translations).sort();
  // A key of this name would be lost as a prototype; any other is set in a third of the time, 3 % of a publication.
  if (keys.includes('__proto__'))
    return { translations: Object.fromEntries(keys.map((key) => [key, translations[key] ?? ''])) };
  const ordered: Record<string, string> = {};
  for (const key of keys) ordered[key] = translations[key] ?? '';
  return { translations: ordered };
}
