import { cutText, shortInput, type Fault, type FaultList, type Loc } from '../faults.js';
import { isStorableText } from '../shape/text.js';
import {
  KINDS,
  LIST_OF,
  memberOf,
  NOUN_OF,
  REFERENCES,
  type Kind,
  type RawLists,
  type Reference,
} from './kinds.js';
import { freshEffort, nearestTo, type Effort } from './near-miss.js';

/** Every external_id is unique within its kind and every reference names an entity that is present. */
export function checkReferences(lists: RawLists, faults: FaultList): void {
  const declared: Partial<Record<Kind, Set<string>>> = {};
  for (const kind of KINDS) declared[kind] = collectExternalIds(kind, lists[kind], faults);
  const effort = freshEffort();
  for (const reference of REFERENCES) {
    const targets = lists[reference.to] === undefined ? undefined : declared[reference.to];
    if (targets === undefined) continue;
    (lists[reference.from] ?? []).forEach((entity, at) => {
      const loc = ['body', LIST_OF[reference.from], at, reference.field];
      const value = memberOf(entity, reference.field);
      if (reference.holds === 'one') resolve(value, loc, reference, targets, effort, faults);
      else if (Array.isArray(value)) {
        for (const [position, element] of (value as unknown[]).entries()) {
          if (typeof element === 'string' && targets.has(element)) continue;
          if (faults.isHopeless) return faults.addUnreported(0, 'at least');
          resolve(element, [...loc, position], reference, targets, effort, faults);
        }
      }
    });
  }
}

function collectExternalIds(kind: Kind, list: readonly unknown[] = [], faults: FaultList): Set<string> {
  const seen = new Set<string>();
  list.forEach((entity, at) => {
    const externalId = memberOf(entity, 'external_id');
    if (typeof externalId !== 'string') return;
    if (seen.has(externalId)) {
      addFault(faults, () => ({
        loc: ['body', LIST_OF[kind], at, 'external_id'],
        msg: `Another ${NOUN_OF[kind]} before this one has the external_id '${shown(externalId)}'`,
        type: 'duplicate_external_id',
        input: shortInput(externalId),
      }));
    }
    seen.add(externalId);
  });
  return seen;
}

function resolve(
  value: unknown,
  loc: Loc,
  { to }: Reference,
  targets: ReadonlySet<string>,
  effort: Effort,
  faults: FaultList,
): void {
  // What is no storable text has been reported by the shape already.
  if (typeof value !== 'string' || targets.has(value) || !isStorableText(value)) return;
  addFault(faults, () => {
    const nearest = nearestTo(value, targets, effort);
    const hint = nearest === undefined ? '' : `; did you mean '${shown(nearest)}'?`;
    const msg = `No ${NOUN_OF[to]} has the external_id '${shown(value)}'${hint}`;
    return { loc, msg, type: 'unresolved_reference', input: shortInput(value) };
  });
}

function addFault(faults: FaultList, describe: () => Fault): void {
  if (faults.isFull) faults.addUnreported(1, 'exactly');
  else faults.add(describe());
}

/** As long as an external_id may be: two that differ are never shown alike. */
const SHOWN_CHARACTERS = 255;

export function shown(externalId: string): string {
  return cutText(externalId, SHOWN_CHARACTERS);
}
