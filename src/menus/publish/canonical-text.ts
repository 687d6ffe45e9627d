import type { MultilingualText } from '../../support/shape/common-shapes.js';
import type { MenuConfiguration } from '../shapes.js';

type Named = { readonly name?: MultilingualText; readonly description?: MultilingualText };

/**
 * One text for all configurations that are equal: fields stand in the order of the shape already, so only the maps,
 * whose keys have no order, are sorted. Lists keep theirs. `text` is the JSON text of the configuration.
 */
export function canonicalText(
  configuration: MenuConfiguration,
  text = JSON.stringify(configuration),
): string {
  const lists = Object.entries(configuration) as [string, readonly Named[]][];
  if (lists.every(([, entities]) => entities.every(hasSortedMaps))) return text;
  return JSON.stringify(
    Object.fromEntries(lists.map(([list, entities]) => [list, entities.map(withSortedMaps)])),
  );
}

function hasSortedMaps({ name, description }: Named): boolean {
  return isSorted(name) && isSorted(description);
}

function withSortedMaps<T extends Named>(entity: T): T {
  if (hasSortedMaps(entity)) return entity;
  const { name, description } = entity;
  return {
    ...entity,
    ...(name === undefined ? {} : { name: sorted(name) }),
    ...(description === undefined ? {} : { description: sorted(description) }),
  };
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
  return {
    translations: Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
