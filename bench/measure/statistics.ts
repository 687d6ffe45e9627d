/** A median with the smallest and largest value beside it, so that nobody mistakes noise for a difference. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return { median: NaN, low: NaN, high: NaN };
  const middle = (sorted.length - 1) / 2;
  const below = sorted[Math.floor(middle)] ?? NaN;
  const above = sorted[Math.ceil(middle)] ?? NaN;
  return { median: (below + above) / 2, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** The ratio of each pair, measured next to each other, rather than the ratio of two medians. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): Spread {
  return spreadOf(numerators.map((value, at) => value / (denominators[at] ?? NaN)));
}
