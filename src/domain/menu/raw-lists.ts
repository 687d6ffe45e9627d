import { KINDS, LIST_OF, type Kind } from './kinds.js';
import type { EntityLimits } from './shapes.js';

/**
 * The lists as they came, whatever their shape: an entity that is present but faulty still answers a reference.
 * A list that is no list, or too long, is left out: its own fault says enough.
 */
export type RawLists = Readonly<Partial<Record<Kind, readonly unknown[]>>>;

export function listsIn(body: unknown, limits: EntityLimits): RawLists {
  const lists: Partial<Record<Kind, readonly unknown[]>> = {};
  for (const kind of KINDS) {
    const list = memberOf(body, LIST_OF[kind]) ?? [];
    if (Array.isArray(list) && list.length <= limits[LIST_OF[kind]]) lists[kind] = list;
  }
  return lists;
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Record<string, unknown>)[name];
}
