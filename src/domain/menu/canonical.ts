import type { MenuConfiguration } from './shapes.js';

/**
 * One text for all configurations that are equal: fields stand in the order of the shape already, so only the maps,
 * whose keys have no order, are sorted. Lists keep theirs.
 */
export function canonicalText(configuration: MenuConfiguration): string {
  return JSON.stringify(configuration, (field, value: unknown) =>
    field === 'translations' ? sortedEntries(value as Readonly<Record<string, string>>) : value,
  );
}

function sortedEntries(translations: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(translations).sort(([a], [b]) => (a < b ? -1 : 1));
}
