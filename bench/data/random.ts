export interface Random {
  /** A whole number from 0 up to, but not including, the bound. */
  below: (bound: number) => number;
  pick: <T>(list: readonly T[]) => T;
}

/** xorshift32: the same seed gives the same data on every machine. */
export function createRandom(seed: number): Random {
  let state = seed === 0 ? 1 : seed >>> 0;
  const below = (bound: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  return { below, pick: (list) => list[below(list.length)] as never };
}
