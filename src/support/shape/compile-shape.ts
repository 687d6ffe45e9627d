import type { Static, TSchema } from './type.js';
import { didYouMean } from '../did-you-mean.js';
import { ErrorList, type Loc, reportError, type Check, type Visit } from '../error-details.js';
import { isMap } from '../maps.js';
import {
  checkFreeForm,
  checkBoolean,
  integerCheck,
  numberCheck,
  stringCheck,
  type NumberRules,
  type StringRules,
} from './values.js';

/**
 * Compiles a wire shape into a check that behaves like pydantic: every error has its place, unknown keys are dropped or refused,
 * null for an optional field means absent, defaults are filled in. The static type and the OpenAPI component come from the same shape.
 */

/** The JSON Schema keywords that checks support. */
export interface Schema {
  /** Two types if null is a value of its own; elsewhere null means absent. */
  readonly type?: string | readonly [string, 'null'];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: { readonly minLength?: number; readonly maxLength?: number };
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  /** Of a string or an integer. */
  readonly enum?: readonly string[] | readonly number[];
  readonly default?: unknown;
}

const RULE = Symbol('rule');
const IS_PATCH = Symbol('is patch');

interface MarkedSchema extends Schema {
  readonly [RULE]?: Rule;
  readonly [IS_PATCH]?: true;
}

/** A rule that runs on a value of valid shape. It reports through the visit, and may echo the value as sent. */
type Rule<T = never> = (value: T, visit: Visit, sent: unknown) => void;

/** Adds a rule that no keyword expresses. Stored under a symbol, so that it stays out of the OpenAPI document. */
export function withRule<S extends TSchema>(schema: S, rule: Rule<Static<S>>): S {
  return Object.assign(schema, { [RULE]: rule });
}

/** Marks a PATCH body, where null does not mean absent: it clears a field or is rejected. */
export function asPatch<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { [IS_PATCH]: true });
}

export function isPatchShape(schema: object): boolean {
  return IS_PATCH in schema;
}

export type ShapeCheck<S extends TSchema> = (value: unknown, loc: Loc, errors: ErrorList) => Static<S>;

/** What becomes of a key that a shape does not know. A map has none: its keys are data. */
export type UnknownKeys = 'ignored' | 'refused';

export function compileShape<S extends TSchema>(
  schema: S,
  unknownKeys: UnknownKeys = 'ignored',
): ShapeCheck<S> {
  const check = compile(schema, unknownKeys);
  return (value, loc, errors) => check(value, { path: [...loc], errors }) as Static<S>;
}

/** Checks a single value and throws its errors. */
export function compileBody<S extends TSchema>(
  schema: S,
  unknownKeys: UnknownKeys = 'ignored',
): (value: unknown) => Static<S> {
  const check = compileShape(schema, unknownKeys);
  return (value) => {
    const errors = new ErrorList();
    const cleaned = check(value, ['body'], errors);
    errors.throwIfAny();
    return cleaned;
  };
}

export function compile(schema: MarkedSchema, unknownKeys: UnknownKeys = 'ignored'): Check {
  return thenRule(schema, compileType(schema, unknownKeys));
}

/** The check, followed by the rule of the schema, if it has one. */
export function thenRule(schema: MarkedSchema, check: Check): Check {
  const rule = schema[RULE];
  if (rule === undefined) return check;
  return (value, visit) => {
    const before = visit.errors.total;
    const cleaned = check(value, visit);
    if (visit.errors.total === before) rule(cleaned as never, visit, value);
    return cleaned;
  };
}

export function compileObject(
  { properties = {}, required = [], [IS_PATCH]: isPatch }: MarkedSchema,
  unknownKeys: UnknownKeys,
  compileField: (schema: Schema, unknownKeys: UnknownKeys) => Check = compile,
): Check {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    check: compileField(schema, unknownKeys),
    isRequired: required.includes(name),
    fallback: schema.default,
    isClearable: typeof schema.type === 'object',
  }));
  const hint = describeObject(fields);
  // A shape without any key leaves its value to another check.
  const refusesKeys = unknownKeys === 'refused' && fields.length > 0;
  return (value, visit) => {
    if (!isMap(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return reportError(visit, 'model_attributes_type', msg, value, { hint });
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
      if (member === undefined) reportError(visit, 'missing', 'Field required');
      else cleaned[name] = check(member, visit);
      visit.path.pop();
    }
    if (refusesKeys) refuseUnknownKeys(value, properties, visit);
    return cleaned;
  };
}

function refuseUnknownKeys(value: object, known: object, visit: Visit): void {
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(known, key)) continue;
    if (visit.errors.isHopeless) return visit.errors.stopCounting();
    const suggestion = () => didYouMean(key, Object.keys(known));
    visit.path.push(key);
    reportError(visit, 'extra_forbidden', () => `Extra inputs are not permitted${suggestion()}`, member);
    visit.path.pop();
  }
}

function describeObject(fields: readonly { readonly name: string; readonly isRequired: boolean }[]): string {
  const namesOf = (wanted: boolean) =>
    fields.flatMap(({ name, isRequired }) => (isRequired === wanted ? [name] : [])).join(', ');
  const [required, optional] = [namesOf(true), namesOf(false)];
  const must = required === '' ? 'an object' : `an object with ${required}`;
  return optional === '' ? must : `${must}; it may have ${optional}`;
}

/** The keys of a map are data: it is passed on as it is, never rebuilt key by key. */
function compileMap(schema: Schema, unknownKeys: UnknownKeys): Check {
  const { maxProperties = Infinity, propertyNames = {} } = schema;
  const checkKey = stringCheck({ maxLength: Infinity, ...heeding(propertyNames, 'minLength', 'maxLength') });
  const checkMember =
    typeof schema.additionalProperties === 'object'
      ? compile(schema.additionalProperties, unknownKeys)
      : checkFreeForm;
  return (value, visit) => {
    if (!isMap(value)) return reportError(visit, 'dict_type', 'Input should be a valid dictionary', value);
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

function compileArray(schema: Schema, unknownKeys: UnknownKeys): Check {
  const { minItems = 0, maxItems = Infinity } = schema;
  const checkElement = compile(schema.items ?? {}, unknownKeys);
  return (value, visit) => {
    if (!Array.isArray(value)) return reportError(visit, 'list_type', 'Input should be a valid list', value);
    if (value.length > maxItems) return reportTooLong(visit, 'List', maxItems, value.length);
    if (value.length < minItems) {
      const msg = `List should have at least ${minItems} ${minItems === 1 ? 'item' : 'items'} after validation, not ${value.length}`;
      return reportError(visit, 'too_short', msg, undefined, {
        field_type: 'List',
        min_length: minItems,
        actual_length: value.length,
      });
    }
    const cleaned: unknown[] = [];
    for (const [index, element] of (value as unknown[]).entries()) {
      if (visit.errors.isHopeless) {
        visit.errors.stopCounting();
        break;
      }
      visit.path.push(index);
      cleaned.push(checkElement(element, visit));
      visit.path.pop();
    }
    return cleaned;
  };
}

function reportTooLong(visit: Visit, what: 'List' | 'Dictionary', most: number, actual: number): undefined {
  const msg = `${what} should have at most ${most} items after validation, not ${actual}`;
  return reportError(visit, 'too_long', msg, undefined, {
    field_type: what,
    max_length: most,
    actual_length: actual,
  });
}

/** Keywords that only document. */
const TOLD = new Set(['type', 'default', '$id', 'title', 'description', 'examples', 'deprecated']);

/**
 * Rejects a schema with a keyword that the check would ignore, since the documents would promise what is not enforced.
 * Shapes are compiled at start-up, so a service with such a shape does not start.
 */
function heeding<S extends Schema>(schema: S, ...keywords: string[]): S {
  const ignored = Object.keys(schema).find((key) => !TOLD.has(key) && !keywords.includes(key));
  if (ignored === undefined) return schema;
  throw new Error(`The check of a schema does not know the keyword ${ignored}`);
}

function compileType(schema: MarkedSchema, unknownKeys: UnknownKeys): Check {
  const { type, properties, enum: values, format } = schema;
  // Null beside another type is a value of its own.
  const [name] = typeof type === 'object' ? type : [type];
  switch (name) {
    case 'object':
      return properties === undefined
        ? compileMap(heeding(schema, 'additionalProperties', 'propertyNames', 'maxProperties'), unknownKeys)
        : compileObject(heeding(schema, 'properties', 'required'), unknownKeys);
    case 'array':
      return compileArray(heeding(schema, 'items', 'minItems', 'maxItems'), unknownKeys);
    case 'string':
      if (values !== undefined) return stringCheck(heeding(schema, 'enum') as StringRules);
      if (format === undefined) return stringCheck(heeding(schema, 'minLength', 'maxLength') as StringRules);
      if (format === 'date-time') return stringCheck(heeding(schema, 'format') as StringRules);
      throw new Error(`The check of a schema does not know the format ${format}`);
    case 'integer':
      return integerCheck(heeding(schema, 'minimum', 'maximum', 'enum') as NumberRules);
    case 'number':
      return numberCheck(heeding(schema, 'minimum', 'maximum') as NumberRules);
    case 'boolean':
      heeding(schema);
      return checkBoolean;
    case undefined:
      heeding(schema);
      return checkFreeForm;
    default:
      throw new Error(`No check for the schema type ${name}`);
  }
}
