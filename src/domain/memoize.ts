/** Works out the value of a text once, and forgets them all when there are more than `most`. */
export function memoize<T extends object | string>(
  most: number,
  workOut: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = workOut(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
