import type { MultilingualText } from '#sdk';
import { toText } from '../../../text/format.js';
import { listLanguages } from '../../../text/languages.js';
import type { Kind } from '../../../../../src/menus/kinds.js';
import type { Entity, Menu } from './draft.js';

export function nameOf(entity: Entity | undefined, id: string, language?: string): string {
  const name = entity?.['name'] as { readonly translations: Readonly<Record<string, string>> } | undefined;
  return toText(name, language) || id;
}

/** The names of all entities of a kind, by their ids. */
export function namesOf(menu: Menu, kind: Kind, language?: string): ReadonlyMap<string, string> {
  return new Map([...menu[kind]].map(([id, entity]) => [id, nameOf(entity, id, language)]));
}

/** The ids in a list of references. */
export function idsIn(entity: Entity | undefined, field: string): readonly string[] {
  return (entity?.[field] as readonly string[] | undefined) ?? [];
}

/** Most used first; a menu without any text is in English. */
export function languagesOf(menu: Menu): string[] {
  const named = [...menu.category.values(), ...menu.item.values()];
  const found = listLanguages(named.map(({ name }) => ({ name: name as MultilingualText })));
  return found.length === 0 ? ['en'] : found;
}

/** An id for something new, made of its name: `flat-white`, and `flat-white-2` where there is one already. */
export function newId(name: string, kind: Kind, taken: readonly ReadonlyMap<string, unknown>[]): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  const stem = plain === '' ? kind.replaceAll('_', '-') : plain;
  const isTaken = (id: string) => taken.some((ids) => ids.has(id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!isTaken(id)) return id;
  }
}
