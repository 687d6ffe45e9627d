/** The keywords of JSON Schema that a check is made of. */
export interface Schema {
  /** Two where null, which else is the same as leaving a field out, is a value of its own. */
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
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

type Keyword = keyof Schema;

const MADE_OF: Readonly<Record<string, readonly Keyword[]>> = {
  model: ['properties', 'required'],
  map: ['additionalProperties', 'propertyNames', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength'],
  'one of': ['enum'],
  'date-time': ['format'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
  anything: [],
};

/** What tells the reader of the OpenAPI document something, and checks nothing. */
const TOLD = new Set(['type', 'default', '$id', 'title', 'description', 'examples', 'deprecated']);
const NAME_KEYWORDS = new Set(['minLength', 'maxLength']);

/**
 * Refuses a schema with a keyword that the check made of it would not heed: a promise in the documents that nobody
 * keeps. Shapes are compiled at the start, so a service with such a shape does not start.
 */
export function requireKnownKeywords(schema: Schema): void {
  const kind = kindOf(schema);
  const known = MADE_OF[kind];
  if (known === undefined) throw new Error(`No check for the schema type ${kind}`);
  const unknown = Object.keys(schema).filter((key) => !TOLD.has(key) && !known.includes(key as Keyword));
  const ofNames = Object.keys(schema.propertyNames ?? {}).filter((key) => !NAME_KEYWORDS.has(key));
  for (const keyword of [...unknown, ...ofNames])
    throw new Error(`The check of a schema for ${kind} does not know the keyword ${keyword}`);
  if (schema.format !== undefined && schema.format !== 'date-time')
    throw new Error(`The check of a schema does not know the format ${schema.format}`);
}

/** What a value is, unless it is null. */
export function typeOf({ type }: Schema): string | undefined {
  return typeof type === 'object' ? type[0] : type;
}

function kindOf(schema: Schema): string {
  const { properties, enum: values, format } = schema;
  const type = typeOf(schema);
  switch (type) {
    case undefined:
      return 'anything';
    case 'object':
      return properties === undefined ? 'map' : 'model';
    case 'string':
      if (values !== undefined) return 'one of';
      return format === undefined ? 'string' : 'date-time';
    default:
      return type;
  }
}
