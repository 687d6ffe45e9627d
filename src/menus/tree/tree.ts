import { entitiesOf, LIST_OF, offsetsByKind, positionsByKind, REFERENCES, type Kind } from '../kinds.js';
import type { MenuConfiguration } from '../shapes.js';
import { buildFragments, prefixFragments, valueAt, type Fragments } from './fragments.js';
import type { StockText } from './stock-texts.js';

/**
 * A menu as fragments, without what its store adds to each entity: id, stock and prep_type. An entity's text begins with these,
 * so they are filled in when the database has given them, and nothing is built twice.
 */
export interface TreeDraft {
  readonly fragments: Fragments;
  /** By fragment: the number (see kinds.ts) of its entity plus one; 0 for a fragment that is no entity. */
  readonly numbers: Uint32Array;
}

/** Which entities, by their position in their list, appear in a tree. */
export type Selection = (kind: Kind, index: number) => boolean;

export const WHOLE: Selection = () => true;

interface Nesting {
  readonly field: string;
  readonly kind: Kind;
  readonly list: string;
}

/** What an entity of each kind nests in the tree. The item that a modifier item stands for is only named. */
const NESTING = Object.fromEntries(
  REFERENCES.flatMap(({ from, field, to, holds }) =>
    holds === 'list' ? [[from, { field, kind: to, list: LIST_OF[to] }]] : [],
  ),
) as Partial<Record<Kind, Nesting>>;

export function buildDraft(configuration: MenuConfiguration) {
  const fragments = buildFragments();
  const numbers: number[] = [];
  const positions = positionsByKind(configuration);
  const offsets = offsetsByKind(configuration);

  /** Adds each entity when it is first referenced, so what no menu shows costs nothing. */
  const share = (isShown: Selection) => {
    const added = new Map<number, number | undefined>();
    const fragmentAt = (kind: Kind, index: number): number | undefined => {
      const number = offsets[kind] + index;
      if (!added.has(number)) added.set(number, isShown(kind, index) ? addEntity(kind, index) : undefined);
      return added.get(number);
    };
    const addEntity = (kind: Kind, index: number): number => {
      const posted: object | undefined = entitiesOf(configuration, kind)[index];
      const { in_stock: _, ...entity } = posted as Record<string, unknown>;
      if (kind === 'menu') entity['name'] ??= { translations: {} };
      const nesting = NESTING[kind];
      const nested: number[] = [];
      if (nesting !== undefined) {
        for (const externalId of (entity[nesting.field] ?? []) as readonly string[]) {
          const position = positions[nesting.kind].get(externalId);
          const fragment = position === undefined ? undefined : fragmentAt(nesting.kind, position);
          if (fragment !== undefined) nested.push(fragment);
        }
        entity[nesting.field] = undefined;
      }
      const added = fragments.addObject(JSON.stringify(entity), nesting?.list, nested);
      numbers[added] = offsets[kind] + index + 1;
      return added;
    };
    return fragmentAt;
  };

  return {
    share,
    /** Adds a fragment around others. The last one added is the whole. */
    add(head: string, nested: readonly number[], tail: string): number {
      const added = fragments.add(head, nested, tail);
      numbers[added] = 0;
      return added;
    },
    finish: (): TreeDraft => ({ fragments: fragments.finish(), numbers: Uint32Array.from(numbers) }),
  };
}

const ENVELOPE = { head: '{"menu_configuration":[', tail: ']}' };

export function draftTree(
  configuration: MenuConfiguration,
  isShown = WHOLE,
  { head, tail } = ENVELOPE,
): TreeDraft {
  const draft = buildDraft(configuration);
  const fragmentAt = draft.share(isShown);
  const menus = (configuration.menus ?? []).flatMap((_, index) => fragmentAt('menu', index) ?? []);
  draft.add(head, menus, tail);
  return draft.finish();
}

export function fillDraft(
  { fragments, numbers }: TreeDraft,
  ids: readonly number[],
  textOf: StockText,
): Fragments {
  return prefixFragments(fragments, (fragment) => {
    const number = valueAt(numbers, fragment) - 1;
    return number < 0 ? '' : `{"id":${ids[number] ?? 0}${textOf(number)}`;
  });
}
