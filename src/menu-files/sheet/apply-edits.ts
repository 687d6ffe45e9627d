import { KINDS, LIST_OF, REFERENCES, type Entity, type Kind } from '../../menus/kinds.js';
import type { MultilingualText } from '../../support/shape/common-shapes.js';
import { FIELDS_OF, type MenuConfiguration } from '../../menus/shapes.js';
import { NO_LANGUAGE, type RowEdit } from './read-row.js';

/** Applies the rows to a menu. Entities without a row stay, unless the rows are the whole menu. */
export function applyEdits(
  current: MenuConfiguration,
  edits: readonly RowEdit[],
  isWhole: boolean,
): MenuConfiguration {
  const lists = KINDS.map((kind) => {
    const before = current[LIST_OF[kind]] as Entity[] | undefined;
    const rows = edits.filter((edit) => edit.kind === kind);
    const after = withoutRemoved(isWhole ? fromRows(rows) : merged(before ?? [], rows), kind, edits);
    // Whether an empty list is stated makes no difference to anyone but the version.
    const isAbsent = after.length === 0 && before === undefined && kind !== 'item';
    return [LIST_OF[kind], isAbsent ? undefined : after] as const;
  });
  return Object.fromEntries(lists.filter(([, list]) => list !== undefined)) as MenuConfiguration;
}

function fromRows(rows: readonly RowEdit[]): Entity[] {
  return rows
    .filter(({ isRemoved }) => !isRemoved)
    .map((edit) => edited({ external_id: edit.externalId }, edit));
}

/** In the order that they had; what is new comes last. */
function merged(before: readonly Entity[], rows: readonly RowEdit[]): Entity[] {
  const byId = new Map(rows.map((edit) => [edit.externalId, edit]));
  const known = new Set(before.map(({ external_id: id }) => id));
  const kept = before.flatMap((entity) => {
    const edit = byId.get(entity.external_id);
    if (edit === undefined) return [entity];
    return edit.isRemoved ? [] : [edited(entity, edit)];
  });
  return [...kept, ...fromRows(rows.filter(({ externalId }) => !known.has(externalId)))];
}

/** In the order of the API's fields. */
function edited(entity: Entity, { kind, values, texts }: RowEdit): Entity {
  const fields = FIELDS_OF[kind].map((field) => {
    const languages = field === 'name' || field === 'description' ? texts.get(field) : undefined;
    const before = entity[field];
    if (languages !== undefined)
      return [field, editedText(before as MultilingualText | undefined, languages)] as const;
    return [field, values.has(field) ? values.get(field) : before] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Entity;
}

function editedText(
  before: MultilingualText | undefined,
  languages: ReadonlyMap<string, string | undefined>,
): MultilingualText | undefined {
  const translations = new Map(Object.entries(before?.translations ?? {}));
  const wasEmpty = before !== undefined && translations.size === 0;
  for (const [language, text] of languages) {
    if (language === NO_LANGUAGE) continue;
    if (text === undefined) translations.delete(language);
    else translations.set(language, text);
  }
  const mayBeEmpty = languages.has(NO_LANGUAGE) ? languages.get(NO_LANGUAGE) === '' : wasEmpty;
  return translations.size > 0 || mayBeEmpty ? { translations: Object.fromEntries(translations) } : undefined;
}

/** Removes deleted entities from the lists that contain them. */
function withoutRemoved(entities: readonly Entity[], kind: Kind, edits: readonly RowEdit[]): Entity[] {
  const reference = REFERENCES.find(({ from, holds }) => from === kind && holds === 'list');
  const removed = new Set(
    edits.filter((edit) => edit.isRemoved && edit.kind === reference?.to).map(({ externalId }) => externalId),
  );
  if (reference === undefined || removed.size === 0) return [...entities];
  return entities.map((entity) => {
    const ids = entity[reference.field] as string[] | undefined;
    if (ids?.some((id) => removed.has(id)) !== true) return entity;
    return { ...entity, [reference.field]: ids.filter((id) => !removed.has(id)) };
  });
}
