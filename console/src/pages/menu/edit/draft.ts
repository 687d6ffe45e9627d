import type { MenuConfigurationRequest } from '#sdk';
import { byKind, LIST_OF, REFERENCES, type Kind } from '../../../../../src/menus/kinds.js';

/** A member of a menu, as it was posted. */
export type Entity = Readonly<Record<string, unknown>> & { readonly external_id: string };
export type Menu = Readonly<Record<Kind, ReadonlyMap<string, Entity>>>;

/** Fields by name; of a text, one for each language, such as `name:en`. Null: not stated. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * What a person wants of one entity: the fields that are touched, before and after. Null: there is no such entity. A field
 * that is not in `before` is one of an entity that two people have added.
 */
export interface Edit {
  readonly kind: Kind;
  readonly external_id: string;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** A field that someone else has changed meanwhile to something else. */
export interface Conflict {
  readonly edit: Edit;
  /** Absent where all of the entity is gone, or has changed under a removal. */
  readonly field?: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Of a price: people agree on what guests pay. */
  readonly tax?: { readonly mine: unknown; readonly theirs: unknown };
}

const TAX_OF: ReadonlyMap<string, string> = new Map([
  ['price', 'tax'],
  ['price_change', 'tax_change'],
]);

/** A price and its tax are one: neither is taken without the other. */
const leadOf = (field: string) => [...TAX_OF].find(([, tax]) => tax === field)?.[0] ?? field;

export interface MenuChange {
  readonly kind: Kind;
  readonly external_id: string;
  readonly add?: true;
  readonly remove?: true;
  readonly set?: Readonly<Record<string, unknown>>;
}

export function toMenu(configuration: MenuConfigurationRequest): Menu {
  return byKind(
    (kind) =>
      new Map(
        ((configuration[LIST_OF[kind]] ?? []) as unknown as Entity[]).map((one) => [one.external_id, one]),
      ),
  );
}

/** The menu with the edits in it. Edits of what is gone are left out. */
export function applyEdits(menu: Menu, edits: readonly Edit[]): Menu {
  const applied = byKind((kind) => new Map(menu[kind]));
  for (const { kind, external_id: id, before, after } of edits) {
    const present = applied[kind].get(id);
    if (after === null) applied[kind].delete(id);
    else if (before === null || present !== undefined)
      applied[kind].set(id, unflatten(id, { ...(present && flatten(present)), ...after }));
  }
  return applied;
}

/**
 * The edits after a person has seen one entity and wants it otherwise, or wants it to go. Fields that they left as they saw
 * them are no edit, nor is what is published already.
 */
export function withEdit(
  published: Menu,
  edits: readonly Edit[],
  kind: Kind,
  id: string,
  seen: Entity | undefined,
  wanted: Entity | undefined,
): readonly Edit[] {
  const edit = edits.find((one) => one.kind === kind && one.external_id === id);
  const others = edits.filter((one) => one !== edit);
  const isNew = edit === undefined ? seen === undefined : edit.before === null;
  const saw = seen === undefined ? {} : flatten(seen);
  if (wanted === undefined) {
    const before = stated({ ...saw, ...edit?.before });
    return isNew ? others : [...others, { kind, external_id: id, before, after: null }];
  }
  const wants = flatten(wanted);
  const names = [...new Set([...Object.keys(saw), ...Object.keys(wants)])];
  const touched = names.filter((name) => !isSame(saw[name], wants[name]));
  if (touched.length === 0) return edits;
  const pickTouched = (fields: Fields) =>
    Object.fromEntries(touched.map((name) => [name, fields[name] ?? null]));
  const made: Edit = {
    kind,
    external_id: id,
    before: isNew ? null : { ...pickTouched(saw), ...edit?.before },
    after: { ...edit?.after, ...pickTouched(wants) },
  };
  return [...others, ...rebase(published, [made]).edits];
}

/** Takes an entity that a person has seen out of the menu, and out of every list that names it. */
export function withoutEntity(
  published: Menu,
  edits: readonly Edit[],
  kind: Kind,
  id: string,
  seen: Entity | undefined,
): readonly Edit[] {
  let left = withEdit(published, edits, kind, id, seen, undefined);
  for (const { from, field, holds } of REFERENCES.filter(({ to }) => to === kind))
    for (const [key, entity] of applyEdits(published, left)[from]) {
      const value = entity[field];
      if (holds === 'list' && Array.isArray(value) && value.includes(id)) {
        const kept = value.filter((one) => one !== id);
        left = withEdit(published, left, from, key, entity, { ...entity, [field]: kept });
      } else if (holds === 'one' && value === id) {
        const { [field]: _, ...rest } = entity;
        left = withEdit(published, left, from, key, entity, rest as Entity);
      }
    }
  return left;
}

/**
 * Holds the edits against a menu that someone else has published: what is still to change, and what two people want
 * differently. An edit keeps its `before` until the person has settled the conflict.
 */
export function rebase(
  menu: Menu,
  edits: readonly Edit[],
): { readonly edits: readonly Edit[]; readonly conflicts: readonly Conflict[] } {
  const kept: Edit[] = [];
  const conflicts: Conflict[] = [];
  for (const edit of edits) {
    const { kind, external_id: id, before, after } = edit;
    const present = menu[kind].get(id);
    const now = present === undefined ? null : flatten(present);
    if (after === null) {
      if (now === null) continue;
      kept.push(edit);
      if (!isSame(stated(now), stated(before ?? {}))) conflicts.push({ edit, mine: null, theirs: now });
    } else if (now === null) {
      kept.push(edit);
      if (before !== null) conflicts.push({ edit, mine: after, theirs: null });
    } else {
      const wanted = Object.keys(after).filter((field) => !isSame(now[field], after[field]));
      if (wanted.length === 0) continue;
      kept.push(
        before === null ? edit : { ...edit, before: pick(before, wanted), after: pick(after, wanted) },
      );
      const moved = wanted.filter(
        (field) => before?.[field] === undefined || !isSame(now[field], before[field]),
      );
      const sides = (field: string) => ({
        mine: (wanted.includes(field) ? after : now)[field],
        theirs: now[field] ?? null,
      });
      for (const field of new Set(moved.map(leadOf))) {
        const tax = TAX_OF.get(field);
        conflicts.push({ edit, field, ...sides(field), ...(tax === undefined ? {} : { tax: sides(tax) }) });
      }
    }
  }
  return { edits: kept, conflicts };
}

/** The edits without what another person's version is taken for. */
export function takeTheirs(edits: readonly Edit[], conflict: Conflict): readonly Edit[] {
  const { field } = conflict;
  return edits.flatMap((edit): Edit[] => {
    if (!isOf(edit, conflict.edit)) return [edit];
    if (field === undefined || edit.after === null) return [];
    const left = Object.keys(edit.after).filter((one) => leadOf(one) !== field);
    return left.length === 0
      ? []
      : [{ ...edit, before: pick(edit.before ?? {}, left), after: pick(edit.after, left) }];
  });
}

/** The edits on top of what another person wanted. */
export function keepMine(edits: readonly Edit[], conflict: Conflict): readonly Edit[] {
  const { field, theirs, tax } = conflict;
  return edits.map((edit) => {
    if (!isOf(edit, conflict.edit)) return edit;
    if (field === undefined) return { ...edit, before: theirs as Fields };
    const taxField = TAX_OF.get(field);
    const ofTax = tax === undefined || taxField === undefined ? {} : { [taxField]: tax.theirs };
    return { ...edit, before: { ...edit.before, [field]: theirs, ...ofTax } };
  });
}

/** The edits that are left once others are published: what was changed again meanwhile stands on those. */
export function withoutSent(edits: readonly Edit[], sent: readonly Edit[]): readonly Edit[] {
  return edits.flatMap((edit) => {
    const done = sent.find((one) => isOf(one, edit));
    if (done === undefined) return [edit];
    return isSame(edit.after, done.after) ? [] : [{ ...edit, before: { ...edit.before, ...done.after } }];
  });
}

function isOf(edit: Edit, { kind, external_id: id }: Edit): boolean {
  return edit.kind === kind && edit.external_id === id;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** The edits as the service takes them. */
export function toMenuChanges(edits: readonly Edit[]): MenuChange[] {
  return edits.map(({ kind, external_id, before, after }) => {
    if (after === null) return { kind, external_id, remove: true };
    const set = nest(after);
    return before === null ? { kind, external_id, add: true, set } : { kind, external_id, set };
  });
}

const TEXTS: ReadonlySet<string> = new Set(['name', 'description']);

function flatten(entity: Entity): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entity)) {
    const texts = TEXTS.has(name)
      ? (value as { translations?: Record<string, string> }).translations
      : undefined;
    if (texts === undefined) fields[name] = value;
    else for (const [language, text] of Object.entries(texts)) fields[`${name}:${language}`] = text;
  }
  return fields;
}

/** A required name stays, in no language if it must. */
function unflatten(id: string, fields: Fields): Entity {
  return { name: { translations: {} }, ...nest(stated(fields)), external_id: id };
}

function stated(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function nest(fields: Fields): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    const [name, language] = split(path);
    if (language === undefined) nested[name] = value;
    else {
      const text = (nested[name] ?? { translations: {} }) as { translations: Record<string, unknown> };
      nested[name] = { translations: { ...text.translations, [language]: value } };
    }
  }
  return nested;
}

/** A language may have a colon in its tag. */
function split(path: string): [string, string?] {
  const colon = path.indexOf(':');
  return colon > 0 && TEXTS.has(path.slice(0, colon))
    ? [path.slice(0, colon), path.slice(colon + 1)]
    : [path];
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Two objects with the same members are the same, in whatever order. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
