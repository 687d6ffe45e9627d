/** A sum of integers that is never rounded, however large it becomes in between. */
export interface ExactSum {
  add(factor: number, times: number): void;
  multiply(times: number): void;
  isNegative(): boolean;
  /** Undefined where no number of JSON holds it exactly. */
  value(): number | undefined;
}

/** Counts in plain numbers for as long as these are exact. */
export function exactSum(): ExactSum {
  let small = 0;
  let large: bigint | undefined;

  const set = (plain: number, exact: () => bigint) => {
    if (large === undefined && Number.isSafeInteger(plain)) small = plain;
    else large = exact();
  };

  return {
    add(factor, times) {
      const product = factor * times;
      // One that is not exact makes the sum so too.
      const plain = Number.isSafeInteger(product) ? small + product : NaN;
      set(plain, () => (large ?? BigInt(small)) + BigInt(factor) * BigInt(times));
    },
    multiply(times) {
      set(small * times, () => (large ?? BigInt(small)) * BigInt(times));
    },
    isNegative: () => (large ?? small) < 0,
    value() {
      if (large === undefined) return small;
      const value = Number(large);
      return Number.isSafeInteger(value) ? value : undefined;
    },
  };
}
