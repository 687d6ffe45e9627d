/** Caches the value of each text, and clears the cache when it exceeds `most` entries. */
export function memoize<T extends object | string>(
  most: number,
  compute: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
