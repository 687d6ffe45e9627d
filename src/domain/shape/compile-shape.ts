import type { Static, TSchema } from 'typebox';
import { FaultList, type Loc } from '../faults.js';
import { reportFault, type Check, type Visit } from './report-fault.js';
import { checkFreeForm } from './free-form.js';
import { requireKnownKeywords, typeOf, type Schema } from './keywords.js';
import { checkBoolean, integerCheck, numberCheck, stringCheck } from './scalars.js';

/**
 * Turns a wire shape into a check that speaks pydantic: every fault at its place, unknown keys dropped, null for an
 * optional field taken as absent, what is absent filled in by its default. The same shape gives the static type and the OpenAPI component.
 */

const RULE = Symbol('rule');
const IS_PATCH = Symbol('is patch');

interface MarkedSchema extends Schema {
  readonly [RULE]?: Rule;
  readonly [IS_PATCH]?: true;
}

/** A rule over a value whose shape has no fault; it reports through the same visit, and may echo the value as sent. */
type Rule<T = never> = (value: T, visit: Visit, sent: unknown) => void;

/** Adds a rule that no keyword expresses; as a symbol it stays out of the OpenAPI document. */
export function withRule<S extends TSchema>(schema: S, rule: Rule<Static<S>>): S {
  return Object.assign(schema, { [RULE]: rule });
}

/** Marks the body of a PATCH, where null is not the same as leaving a field out: it is refused unless it clears the field. */
export function asPatch<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [IS_PATCH]: true });
}

export function isPatchShape(schema: object): boolean {
  return IS_PATCH in schema;
}

export type ShapeCheck<S extends TSchema> = (value: unknown, loc: Loc, faults: FaultList) => Static<S>;

export function compileShape<S extends TSchema>(schema: S): ShapeCheck<S> {
  const check = compile(schema);
  return (value, loc, faults) => check(value, { path: [...loc], faults }) as Static<S>;
}

/** Checks one value that stands alone, and throws what is wrong with it. */
export function compileBody<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const check = compileShape(schema);
  return (value) => {
    const faults = new FaultList();
    const cleaned = check(value, ['body'], faults);
    faults.throwIfAny();
    return cleaned;
  };
}

export function compile(schema: MarkedSchema): Check {
  requireKnownKeywords(schema);
  const check = compileKeywords(schema);
  const rule = schema[RULE];
  if (rule === undefined) return check;
  return (value, visit) => {
    const before = visit.faults.total;
    const cleaned = check(value, visit);
    if (visit.faults.total === before) rule(cleaned as never, visit, value);
    return cleaned;
  };
}

function compileKeywords(schema: MarkedSchema): Check {
  switch (typeOf(schema)) {
    case 'object':
      return schema.properties === undefined ? compileMap(schema) : compileObject(schema, schema.properties);
    case 'array':
      return compileArray(schema);
    case 'string':
      return stringCheck(schema);
    case 'integer':
      return integerCheck(schema);
    case 'number':
      return numberCheck(schema);
    case 'boolean':
      return checkBoolean;
    default:
      return checkFreeForm;
  }
}

function compileObject(
  { required = [], [IS_PATCH]: isPatch }: MarkedSchema,
  properties: Readonly<Record<string, Schema>>,
): Check {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    check: compile(schema),
    isRequired: required.includes(name),
    fallback: schema.default,
    isClearable: typeof schema.type === 'object',
  }));
  const hint = describeObject(fields);
  return (value, visit) => {
    if (!isPlainObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return reportFault(visit, 'model_attributes_type', msg, value, { hint });
    }
    const cleaned: Record<string, unknown> = {};
    for (const { name, check, isRequired, isClearable, fallback } of fields) {
      const member = value[name];
      if (isClearable && member === null) {
        cleaned[name] = null;
        continue;
      }
      if (!isRequired && (member === undefined || (member === null && isPatch !== true))) {
        if (fallback !== undefined) cleaned[name] = fallback;
        continue;
      }
      visit.path.push(name);
      if (member === undefined) reportFault(visit, 'missing', 'Field required');
      else cleaned[name] = check(member, visit);
      visit.path.pop();
    }
    return cleaned;
  };
}

function describeObject(fields: readonly { readonly name: string; readonly isRequired: boolean }[]): string {
  const namesOf = (wanted: boolean) =>
    fields.flatMap(({ name, isRequired }) => (isRequired === wanted ? [name] : [])).join(', ');
  const [required, optional] = [namesOf(true), namesOf(false)];
  const must = required === '' ? 'an object' : `an object with ${required}`;
  return optional === '' ? must : `${must}; it may have ${optional}`;
}

/** A map keeps its keys as data: it is handed on as it came, never rebuilt key by key. */
function compileMap(schema: Schema): Check {
  const { maxProperties = Infinity, propertyNames = {} } = schema;
  const checkKey = stringCheck({ maxLength: Infinity, ...propertyNames });
  const checkMember =
    typeof schema.additionalProperties === 'object' ? compile(schema.additionalProperties) : checkFreeForm;
  return (value, visit) => {
    if (!isPlainObject(value))
      return reportFault(visit, 'dict_type', 'Input should be a valid dictionary', value);
    const keys = Object.keys(value);
    if (keys.length > maxProperties) return reportTooLong(visit, 'Dictionary', maxProperties, keys.length);
    for (const key of keys) {
      visit.path.push(key, '[key]');
      checkKey(key, visit);
      visit.path.pop();
      checkMember(value[key], visit);
      visit.path.pop();
    }
    return value;
  };
}

function compileArray(schema: Schema): Check {
  const { minItems = 0, maxItems = Infinity } = schema;
  const checkElement = compile(schema.items ?? {});
  return (value, visit) => {
    if (!Array.isArray(value)) return reportFault(visit, 'list_type', 'Input should be a valid list', value);
    if (value.length > maxItems) return reportTooLong(visit, 'List', maxItems, value.length);
    if (value.length < minItems) {
      const msg = `List should have at least ${minItems} ${minItems === 1 ? 'item' : 'items'} after validation, not ${value.length}`;
      return reportFault(visit, 'too_short', msg, undefined, {
        field_type: 'List',
        min_length: minItems,
        actual_length: value.length,
      });
    }
    const cleaned: unknown[] = [];
    for (const [at, element] of (value as unknown[]).entries()) {
      if (visit.faults.isHopeless) {
        visit.faults.addUnreported(0, 'at least');
        break;
      }
      visit.path.push(at);
      cleaned.push(checkElement(element, visit));
      visit.path.pop();
    }
    return cleaned;
  };
}

function reportTooLong(visit: Visit, what: 'List' | 'Dictionary', most: number, actual: number): undefined {
  const msg = `${what} should have at most ${most} items after validation, not ${actual}`;
  return reportFault(visit, 'too_long', msg, undefined, {
    field_type: what,
    max_length: most,
    actual_length: actual,
  });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
