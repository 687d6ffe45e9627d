/** Many short sorted lists of numbers in two arrays: list n is members[starts[n]] to members[starts[n + 1] - 1]. */
export interface PackedLists {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly members: Uint32Array<ArrayBuffer>;
}

/** Each number once in each list. */
export function packLists(lists: Iterable<Iterable<number>>): PackedLists {
  const starts = [0];
  const members: number[] = [];
  for (const list of lists) {
    for (const member of [...new Set(list)].sort((one, other) => one - other)) members.push(member);
    starts.push(members.length);
  }
  return { starts: Uint32Array.from(starts), members: Uint32Array.from(members) };
}

/** A copy: a view of so few numbers would cost more. */
export function listAt({ starts, members }: PackedLists, at: number): number[] {
  const list: number[] = [];
  const end = starts[at + 1] ?? 0;
  for (let place = starts[at] ?? 0; place < end; place += 1) list.push(members[place] ?? 0);
  return list;
}

export function lengthAt({ starts }: PackedLists, at: number): number {
  return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
}

export function hasMember({ starts, members }: PackedLists, at: number, wanted: number): boolean {
  let [low, high] = [starts[at] ?? 0, starts[at + 1] ?? 0];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const member = members[middle] ?? 0;
    if (member === wanted) return true;
    if (member < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
