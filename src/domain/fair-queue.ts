/** What waits, by owner. Owners are served in turn, so a long queue of one holds up nobody else. */
export interface FairQueue<T> {
  push(owner: string, item: T): void;
  /** The oldest item of the owner whose turn it is; owners that may not go are passed over and keep their place. */
  shift(mayGo?: (owner: string) => boolean): { readonly owner: string; readonly item: T } | undefined;
  /** False when it waits no more. */
  remove(owner: string, item: T): boolean;
  waiting(owner: string): number;
  /** Empties the queue. */
  drain(): T[];
}

export function createFairQueue<T>(): FairQueue<T> {
  // Maps and sets keep the order of insertion: the first owner is the one whose turn it is.
  const owners = new Map<string, Set<T>>();

  const remove = (owner: string, item: T): boolean => {
    const items = owners.get(owner);
    const wasThere = items?.delete(item) ?? false;
    if (items?.size === 0) owners.delete(owner);
    return wasThere;
  };

  return {
    push(owner, item) {
      const items = owners.get(owner);
      if (items === undefined) owners.set(owner, new Set([item]));
      else items.add(item);
    },
    shift(mayGo = () => true) {
      for (const [owner, items] of owners) {
        if (!mayGo(owner)) continue;
        const [item] = items;
        owners.delete(owner);
        items.delete(item as T);
        if (items.size > 0) owners.set(owner, items);
        return { owner, item: item as T };
      }
      return undefined;
    },
    remove,
    waiting: (owner) => owners.get(owner)?.size ?? 0,
    drain() {
      const all = [...owners.values()].flatMap((items) => [...items]);
      owners.clear();
      return all;
    },
  };
}
