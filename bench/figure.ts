import type { Spread } from './measure/statistics.js';

/** One line of the results: a value, what it should be, and what it was measured against. */
export interface Figure {
  readonly name: string;
  readonly value: Spread;
  /** Of a ratio: how often the reference. The others are absolute, and only the stall has a limit of its own. */
  readonly unit: 'ratio' | 'ms' | 'MB' | 'count';
  readonly target?: Target | undefined;
  /** The two sides of a ratio in words, e.g. requests a second and processor time per request. */
  readonly service: string;
  readonly reference: string;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };

export function isMissed({ value, target }: Figure): boolean {
  if (target === undefined) return false;
  return 'atLeast' in target ? !(value.median >= target.atLeast) : !(value.median <= target.atMost);
}
