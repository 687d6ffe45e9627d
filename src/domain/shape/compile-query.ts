import type { Static, TObject } from 'typebox';
import { FaultList, shortInput, ValidationFailed } from '../faults.js';
import { reportFault, type Check } from './report-fault.js';
import { compile } from './compile-shape.js';
import type { Schema } from './keywords.js';
import { checkBooleanText, integerTextCheck, listed } from './scalars.js';

/** A query by name; a parameter that was given several times counts as its last value. */
export function parseQuery(search: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>;
  if (search !== '') for (const [name, value] of new URLSearchParams(search)) query[name] = value;
  return query;
}

/**
 * Query strings and path parameters arrive as text: numbers and booleans are parsed, strings are checked as they stand.
 * A parameter that the schema does not have is ignored, or refused.
 */
export function compileQuery<S extends TObject>(
  schema: S,
  part: 'query' | 'path',
  unknown: 'refused' | 'ignored',
): (raw: Readonly<Record<string, string>>, faults: FaultList) => Static<S> {
  // Without a required field TypeBox leaves the list out, whatever its type says.
  const required = (schema as { required?: readonly string[] }).required ?? [];
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    check: textCheck(property),
    fallback: (property as Schema).default,
  }));
  return (raw, faults) => {
    const cleaned: Record<string, unknown> = {};
    for (const { name, isRequired, check, fallback } of fields) {
      const value = raw[name];
      const visit = { path: [part, name], faults };
      if (value !== undefined) cleaned[name] = check(value, visit);
      else if (isRequired) reportFault(visit, 'missing', 'Field required');
      else if (fallback !== undefined) cleaned[name] = fallback;
    }
    if (unknown === 'refused') {
      for (const name of Object.keys(raw)) {
        if (Object.hasOwn(schema.properties, name)) continue;
        reportFault(
          { path: [part, name], faults },
          'extra_forbidden',
          'Extra inputs are not permitted',
          raw[name],
        );
      }
    }
    return cleaned as Static<S>;
  };
}

function textCheck(schema: Schema): Check {
  const check = compile(schema);
  switch (schema.type) {
    case 'string':
      return check;
    case 'integer':
      return integerTextCheck(schema);
    case 'boolean':
      return checkBooleanText;
    default:
      throw new Error(`No check for a parameter of the type ${String(schema.type)}`);
  }
}

/** The value of a query parameter that takes one or several of the known names, separated by commas. */
export function readNames<Name extends string>(
  parameter: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] | undefined {
  if (text === undefined) return undefined;
  const wanted: ReadonlySet<string> = new Set(text.split(','));
  const named = known.filter((name) => wanted.has(name));
  if (named.length === wanted.size) return named;
  const expected = listed(known);
  const msg = `Input should be ${expected}, separated by commas`;
  throw new ValidationFailed([
    { loc: ['query', parameter], msg, type: 'enum', input: shortInput(text), ctx: { expected } },
  ]);
}
