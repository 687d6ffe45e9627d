import type { ComponentChildren } from 'preact';
import type { Phrase } from './phrases/en.js';
import { BLANK, fill, toForm } from './t.js';

/** A phrase with elements as values. */
export function tx(phrase: Phrase, values: Readonly<Record<string, ComponentChildren>>): ComponentChildren[] {
  return toForm(phrase, values['count'])
    .split(BLANK)
    .map((part, i) => {
      if (i % 2 === 0) return part;
      const value = values[part];
      return typeof value === 'number' ? fill(value) : value;
    });
}
