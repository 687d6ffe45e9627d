import type { Static } from '../../support/shape/type.js';
import {
  shortInput,
  shortText,
  shownExternalId,
  valueErrorDetail,
  type ErrorDetail,
  type ErrorList,
  type Loc,
} from '../../support/error-details.js';
import { didYouMean, FULL_EFFORT } from '../../support/did-you-mean.js';
import { isMap, mergePatch, memberOf } from '../../support/maps.js';
import { byKind, KINDS, LIST_OF, NOUN_OF, REFERENCES, type Kind, type ListName } from '../kinds.js';
import type { MenuChanges, MenuConfiguration } from '../shapes.js';

export type MenuChange = Static<typeof MenuChanges>['changes'][number];
type Entity = Readonly<Record<string, unknown>>;
type Lists = Partial<Record<ListName, readonly Entity[]>>;

/** Something that is said of a place in a configuration: an error or a warning. */
type Placed = Pick<ErrorDetail, 'loc' | 'ctx'>;

export interface ChangedMenu {
  /** To be checked as if it had been posted. */
  readonly configuration: Readonly<Lists>;
  /** Moves what is said of the configuration to the change that caused it. */
  readonly relocate: <T extends Placed>(said: T) => T;
}

/** Applies the changes in order. One that cannot be applied is reported and left out. */
export function applyChanges(
  current: MenuConfiguration,
  changes: readonly MenuChange[],
  errors: ErrorList,
): ChangedMenu {
  const entities = byKind((kind) => mapOf(current[LIST_OF[kind]] ?? []));
  /** The changes that made an entity what it is, and those that took one away. */
  const touched = byKind(() => new Map<string, number[]>());
  const removed = byKind(() => new Map<string, number>());
  const effort = { left: FULL_EFFORT };

  changes.forEach((change, i) => {
    const { kind, external_id: id, set = {} } = change;
    const error = findError(change, i, entities[kind], effort);
    if (error !== undefined) return errors.addDescribed(error);
    if (change.remove === true) {
      entities[kind].delete(id);
      touched[kind].delete(id);
      removed[kind].set(id, i);
    } else {
      entities[kind].set(id, mergePatch(entities[kind].get(id) ?? { external_id: id }, set) as Entity);
      touched[kind].set(id, [...(touched[kind].get(id) ?? []), i]);
      removed[kind].delete(id);
    }
  });

  const configuration: Lists = {};
  for (const kind of KINDS) {
    const list = LIST_OF[kind];
    if (current[list] !== undefined || entities[kind].size > 0)
      configuration[list] = [...entities[kind].values()];
  }
  return {
    configuration,
    relocate: (said) => ({ ...said, ...placeOf(said, { changes, configuration, touched, removed }) }),
  };
}

function mapOf(list: readonly (Entity & { readonly external_id: string })[]): Map<string, Entity> {
  return new Map(list.map((entity) => [entity.external_id, entity]));
}

/** Why a change cannot be applied to the entities of its kind; described only if it will be reported. */
function findError(
  { kind, external_id: id, set, add = false, remove = false }: MenuChange,
  i: number,
  entities: ReadonlyMap<string, Entity>,
  effort: { left: number },
): (() => ErrorDetail) | undefined {
  const loc = ['body', 'changes', i];
  if (set === undefined && !add && !remove)
    return () => valueErrorDetail(loc, 'a change needs set, add or remove');
  if (remove && (add || set !== undefined))
    return () => valueErrorDetail([...loc, 'remove'], 'remove cannot be combined with set or add', true);
  const renamed = memberOf(set, 'external_id') ?? id;
  if (renamed !== id)
    return () =>
      valueErrorDetail(
        [...loc, 'set', 'external_id'],
        'an external_id cannot be changed; remove the entity and add another',
        renamed,
      );
  const place = { loc: [...loc, 'external_id'], input: shortInput(id) };
  if (add && entities.has(id))
    return () => ({
      ...place,
      msg: `Another ${NOUN_OF[kind]} already has the external_id '${shownExternalId(id)}'`,
      type: 'duplicate_external_id',
    });
  if (!add && !entities.has(id))
    return () => ({
      ...place,
      msg: `No ${NOUN_OF[kind]} has the external_id '${shownExternalId(id)}'${didYouMean(id, entities.keys(), effort)}`,
      type: 'unknown_entity',
    });
  return undefined;
}

interface History {
  readonly changes: readonly MenuChange[];
  readonly configuration: Lists;
  readonly touched: Readonly<Record<Kind, ReadonlyMap<string, readonly number[]>>>;
  readonly removed: Readonly<Record<Kind, ReadonlyMap<string, number>>>;
}

/** The field of the change that set it, else the change, else the body; `ctx` then names the entity and the field. */
function placeOf({ loc, ctx }: Placed, { changes, configuration, touched, removed }: History): Placed {
  const [, list, index, ...path] = loc;
  const kind = KINDS.find((one) => LIST_OF[one] === list);
  if (kind === undefined) return ctx === undefined ? { loc } : { loc, ctx };
  const entity = typeof index === 'number' ? configuration[LIST_OF[kind]]?.[index] : undefined;
  if (entity === undefined) return { loc: ['body'], ctx: { ...ctx, list } };

  const id = String(entity['external_id']);
  const touching = touched[kind].get(id) ?? [];
  let setting = touching.find((i) => changes[i]?.add === true);
  let depth = 0;
  for (const i of touching) {
    const reached = depthIn(changes[i]?.set, path);
    if (reached > 0 && reached >= depth) [setting, depth] = [i, reached];
  }
  const target = targetKind(kind, path);
  const removal = target && removed[target].get(String(valueAt(entity, path)));
  const named = { ...ctx, kind, external_id: shortText(id), ...(path.length === 0 ? {} : { path }) };
  if (removal !== undefined && removal > (setting ?? -1))
    return { loc: ['body', 'changes', removal], ctx: named };
  if (setting !== undefined && path.length > 0)
    return {
      loc: ['body', 'changes', setting, 'set', ...path],
      ctx: { ...ctx, kind, external_id: shortText(id) },
    };
  const last = touching.at(-1);
  return { loc: last === undefined ? ['body'] : ['body', 'changes', last], ctx: named };
}

/** How many steps of the path a patch has itself. A list is one value. */
function depthIn(patch: unknown, path: Loc): number {
  let depth = 0;
  for (let value = patch; depth < path.length; depth += 1) {
    const step = String(path[depth]);
    if (!isMap(value) || !Object.hasOwn(value, step)) break;
    value = value[step];
  }
  return depth;
}

/** What an entity of this kind refers to with the field that the path begins with, if it is a reference. */
function targetKind(kind: Kind, [field]: Loc): Kind | undefined {
  return REFERENCES.find((reference) => reference.from === kind && reference.field === field)?.to;
}

function valueAt(entity: unknown, path: Loc): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      Array.isArray(value) ? (value as unknown[])[Number(step)] : memberOf(value, String(step)),
    entity,
  );
}
