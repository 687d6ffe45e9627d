import type { MenuConfiguration } from './shapes.js';

type Text = { readonly translations: Readonly<Record<string, string>> };
type Named = { readonly name?: Text; readonly description?: Text };

/**
 * One text for all configurations that are equal: fields stand in the order of the shape already, so only the maps,
 * whose keys have no order, are sorted. Lists keep theirs.
 */
export function canonicalText(configuration: MenuConfiguration): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(configuration).map(([list, entities]) => [
        list,
        (entities as Named[]).map(withSortedMaps),
      ]),
    ),
  );
}

function withSortedMaps<T extends Named>(entity: T): T {
  const { name, description } = entity;
  if (isSorted(name) && isSorted(description)) return entity;
  return {
    ...entity,
    ...(name === undefined ? {} : { name: sorted(name) }),
    ...(description === undefined ? {} : { description: sorted(description) }),
  };
}

function isSorted(text: Text | undefined): boolean {
  const keys = text === undefined ? [] : Object.keys(text.translations);
  return keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
}

function sorted({ translations }: Text): Text {
  return {
    translations: Object.fromEntries(Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
