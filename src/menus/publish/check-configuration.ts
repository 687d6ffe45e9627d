import {
  ErrorList,
  shortInput,
  shortText,
  shownExternalId,
  ValidationFailed,
  type ErrorDetail,
  type Loc,
  reportValueError,
} from '../../support/error-details.js';
import { compileShape } from '../../support/shape/compile-shape.js';
import { isStorableText } from '../../support/shape/values.js';
import { parseTime } from '../../calendar/hours.js';
import {
  KINDS,
  LIST_OF,
  listsIn,
  NOUN_OF,
  REFERENCES,
  type Counts,
  type Kind,
  type RawLists,
  type Reference,
} from '../kinds.js';
import { memberOf } from '../../support/maps.js';
import { didYouMean, FULL_EFFORT, type Effort } from '../../support/did-you-mean.js';
import { menuConfigurationRequest, type MenuConfiguration } from '../shapes.js';

/**
 * Checks a whole configuration (shape, rules between fields, references) and reports every error at once, together with
 * those found before. `relocate` says where an error comes from. Default: from the place where it is.
 */
export function compileConfigurationCheck(limits: Counts) {
  const checkShape = compileShape(menuConfigurationRequest(limits));
  return (
    body: unknown,
    errors = new ErrorList(),
    relocate = (error: ErrorDetail): ErrorDetail => error,
  ): MenuConfiguration => {
    const configuration = checkShape(body, ['body'], errors);
    const lists = listsIn(body, limits);
    checkRules(lists, errors);
    checkReferences(lists, errors);
    if (errors.total > 0)
      throw new ValidationFailed(errors.toArray().map((error) => relocate(named(error, lists))));
    return configuration;
  };
}

/** Adds the external_id of the entity to an error, because an index alone is hard to find. */
function named(error: ErrorDetail, lists: RawLists): ErrorDetail {
  const [, list, index] = error.loc;
  const kind = KINDS.find((one) => LIST_OF[one] === list);
  if (kind === undefined || typeof index !== 'number') return error;
  const externalId = memberOf(lists[kind]?.[index], 'external_id');
  if (typeof externalId !== 'string') return error;
  return { ...error, ctx: { ...error.ctx, external_id: shortText(externalId) } };
}

/**
 * Rules between two fields. They look at the lists as they came, so that an error in one field hides nothing about the
 * others, and stay silent where one of the two is invalid itself.
 */
function checkRules(lists: RawLists, errors: ErrorList): void {
  const refuse = (loc: Loc, reason: string, value: unknown) =>
    reportValueError({ path: ['body', ...loc], errors }, reason, value);
  lists.modifier_group?.forEach((group, i) => {
    const most = countIn(group, 'group_max');
    if (most !== 0 && exceeds(countIn(group, 'group_min'), most))
      refuse(['modifier_groups', i, 'group_max'], 'group_max should be 0 or at least group_min', most);
  });
  lists.modifier_item?.forEach((modifier, i) => {
    const [most, usual] = [countIn(modifier, 'max_quantity'), countIn(modifier, 'default_quantity')];
    if (exceeds(countIn(modifier, 'min_quantity'), most))
      refuse(['modifier_items', i, 'max_quantity'], 'max_quantity should be at least min_quantity', most);
    if (exceeds(usual, most))
      refuse(
        ['modifier_items', i, 'default_quantity'],
        'default_quantity should be at most max_quantity',
        usual,
      );
  });
  lists.menu?.forEach((menu, i) =>
    elementsOf(memberOf(menu, 'availability')).forEach((day, j) =>
      elementsOf(memberOf(day, 'time_periods')).forEach((period, k) => {
        const loc = ['menus', i, 'availability', j, 'time_periods', k, 'end_time'];
        const end = memberOf(period, 'end_time');
        const second = secondOf(end);
        if (second !== undefined && second === secondOf(memberOf(period, 'start_time')))
          refuse(loc, 'end_time should differ from start_time', end);
      }),
    ),
  );
}

function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function countIn(entity: unknown, field: string): number | undefined {
  const value = memberOf(entity, field);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function exceeds(value: number | undefined, most: number | undefined): boolean {
  return value !== undefined && most !== undefined && value > most;
}

function secondOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseTime(value) : undefined;
}

/** Every external_id is unique within its kind and every reference names an entity that is present. */
function checkReferences(lists: RawLists, errors: ErrorList): void {
  const declared: Partial<Record<Kind, Set<string>>> = {};
  for (const kind of KINDS) declared[kind] = collectExternalIds(kind, lists[kind], errors);
  const effort = { left: FULL_EFFORT };
  for (const reference of REFERENCES) {
    const targets = lists[reference.to] === undefined ? undefined : declared[reference.to];
    if (targets === undefined) continue;
    (lists[reference.from] ?? []).forEach((entity, index) => {
      const loc = ['body', LIST_OF[reference.from], index, reference.field];
      const value = memberOf(entity, reference.field);
      if (reference.holds === 'one') resolve(value, loc, reference, targets, effort, errors);
      else if (Array.isArray(value)) {
        for (const [position, element] of (value as unknown[]).entries()) {
          if (typeof element === 'string' && targets.has(element)) continue;
          if (errors.isHopeless) return errors.stopCounting();
          resolve(element, [...loc, position], reference, targets, effort, errors);
        }
      }
    });
  }
}

function collectExternalIds(kind: Kind, list: readonly unknown[] = [], errors: ErrorList): Set<string> {
  const seen = new Set<string>();
  list.forEach((entity, index) => {
    const externalId = memberOf(entity, 'external_id');
    if (typeof externalId !== 'string') return;
    if (seen.has(externalId)) {
      errors.addDescribed(() => ({
        loc: ['body', LIST_OF[kind], index, 'external_id'],
        msg: `An earlier ${NOUN_OF[kind]} already has the external_id '${shownExternalId(externalId)}'`,
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
  errors: ErrorList,
): void {
  // What is no storable text has been reported by the shape already.
  if (typeof value !== 'string' || targets.has(value) || !isStorableText(value)) return;
  errors.addDescribed(() => {
    const hint = didYouMean(value, targets, effort);
    const msg = `No ${NOUN_OF[to]} has the external_id '${shownExternalId(value)}'${hint}`;
    return { loc, msg, type: 'unresolved_reference', input: shortInput(value) };
  });
}
