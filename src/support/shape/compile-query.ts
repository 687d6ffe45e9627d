import { Type, type Static, type TObject } from './type.js';
import { inside, reportError, type Check, type ErrorList } from '../error-details.js';
import { compile, compileObject, thenRule, withRule, type Schema } from './compile-shape.js';
import { checkBooleanText, integerTextCheck, listed, type NumberRules } from './values.js';

/** Query parameters by name; of a repeated parameter the last value counts. */
export function parseQuery(search: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>;
  // URLSearchParams drops one leading question mark; any further one belongs to the first name.
  if (search !== '') for (const [name, value] of new URLSearchParams(`?${search}`)) query[name] = value;
  return query;
}

/**
 * Query and path parameters arrive as text: numbers and booleans are parsed, strings are checked as they are.
 * Unknown parameters are ignored or rejected.
 */
export function compileQuery<S extends TObject>(
  schema: S,
  part: 'query' | 'path',
  unknown: 'refused' | 'ignored',
): (raw: Readonly<Record<string, string>>, errors: ErrorList) => Static<S> {
  const checkFields = compileObject(schema, 'ignored', textCheck);
  const check = thenRule(schema, (value, visit) => {
    const cleaned = checkFields(value, visit);
    if (unknown === 'refused') {
      for (const [name, text] of Object.entries(value as Readonly<Record<string, string>>)) {
        if (Object.hasOwn(schema.properties, name)) continue;
        inside(visit, name, () =>
          reportError(visit, 'extra_forbidden', 'Extra inputs are not permitted', text),
        );
      }
    }
    return cleaned;
  });
  return (raw, errors) => check(raw, { path: [part], errors }) as Static<S>;
}

function textCheck(schema: Schema): Check {
  const check = compile(schema);
  switch (schema.type) {
    case 'string':
      return check;
    case 'integer':
      return integerTextCheck(schema as NumberRules);
    case 'boolean':
      return checkBooleanText;
    default:
      throw new Error(`No check for a parameter of the type ${String(schema.type)}`);
  }
}

/** A query parameter that takes one or several of the known names, separated by commas. */
export function NamesOf(known: readonly string[], options: { description: string; examples: string[] }) {
  const expected = listed(known);
  return withRule(Type.String(options), (text, visit) => {
    if (!text.split(',').every((name) => known.includes(name)))
      reportError(visit, 'enum', `Input should be ${expected}, separated by commas`, text, { expected });
  });
}

/** Those that the checked parameter names, in the order in which they are known. */
export function readNames<Name extends string>(
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] | undefined {
  const wanted: ReadonlySet<string> = new Set(text?.split(','));
  return text === undefined ? undefined : known.filter((name) => wanted.has(name));
}
