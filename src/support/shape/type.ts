import type TypeBox from 'typebox';
import type { TSchema } from 'typebox';

export type { Static, TObject, TObjectOptions, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';

const IS_OPTIONAL = Symbol('is optional');

type Kind =
  'Array' | 'Boolean' | 'Integer' | 'Number' | 'Object' | 'Optional' | 'String' | 'Unknown' | 'Unsafe';

/** Plain JSON Schema with TypeBox's types. Loading TypeBox itself takes as long as the rest of the command line: see decision 2. */
export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, TSchema>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  /** The mark is hidden, so that a copy of the schema is required again. */
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, IS_OPTIONAL, { value: true }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Pick<typeof TypeBox, Kind>;

export function isOptional(schema: TSchema | undefined): boolean {
  return schema !== undefined && IS_OPTIONAL in schema;
}
