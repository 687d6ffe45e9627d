import type { ComponentChildren } from 'preact';
import { fillIn, splitPhrase } from '../../../src/support/phrases.js';
import { nowSpoken, type PhraseKey } from './t.js';

/** A phrase with elements as values. */
export function tx(key: PhraseKey, values: Readonly<Record<string, ComponentChildren>>): ComponentChildren[] {
  const spoken = nowSpoken();
  return splitPhrase(key, values['count'], spoken).map((part, i) => {
    if (i % 2 === 0) return part;
    const value = values[part];
    return typeof value === 'number' ? fillIn(value, spoken.locale) : value;
  });
}
