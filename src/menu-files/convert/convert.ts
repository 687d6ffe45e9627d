import type { Conversion, ConvertOptions } from './conversion.js';
import { convertHubRise, isHubRise } from './hubrise.js';
import { convertSquare, isSquare } from './square.js';
import { convertUber, isUber } from './uber.js';

export const MENU_SOURCES = ['uber', 'square', 'hubrise'] as const;
export type MenuSource = (typeof MENU_SOURCES)[number];

/** How a source is called in a sentence. */
export const SOURCE_NAMES: Readonly<Record<MenuSource, string>> = {
  uber: 'Uber Eats',
  square: 'Square',
  hubrise: 'HubRise',
};

const CONVERTERS = {
  uber: { recognises: isUber, convert: convertUber },
  square: { recognises: isSquare, convert: convertSquare },
  hubrise: { recognises: isHubRise, convert: convertHubRise },
};

/** Which system a file comes from; undefined for a menu of our own, and for anything else. */
export function recogniseSource(value: unknown): MenuSource | undefined {
  return MENU_SOURCES.find((source) => CONVERTERS[source].recognises(value));
}

export function convertMenu(value: unknown, source: MenuSource, options: ConvertOptions): Conversion {
  return CONVERTERS[source].convert(value, options);
}
