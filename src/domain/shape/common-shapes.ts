import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { asPatch } from './compile-shape.js';

/** Building blocks of every wire shape. A schema with `$id` becomes the OpenAPI component of that name. */

/** A field that may be left out of a request: the check then fills in the `default` of its schema. */
export function Defaulted<S extends TSchema & { readonly default?: unknown }>(schema: S): S {
  // For TypeBox an optional field may be absent after the check too; this one never is.
  return Type.Optional(schema);
}

/** A map from string to `member`, its keys being data. */
export function MapOf<S extends TSchema, T>(
  member: S,
  options: {
    maxProperties?: number;
    propertyNames?: { minLength?: number; maxLength?: number };
    [more: string]: unknown;
  } = {},
) {
  return Type.Unsafe<Record<string, T>>({ type: 'object', additionalProperties: member, ...options });
}

/** One of the given strings. */
export function OneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });
}

export const ExternalId = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: 255, ...options });

export const Datetime = (options: Record<string, unknown> = {}) =>
  Type.String({ format: 'date-time', ...options });

export const MultilingualText = Type.Object(
  {
    translations: MapOf<TSchema, string>(Type.String(), {
      propertyNames: { minLength: 1, maxLength: 35 },
      maxProperties: 200,
      examples: [{ en: 'Flat white', es: 'Café con leche' }],
    }),
  },
  { $id: 'MultilingualText' },
);
export type MultilingualText = Static<typeof MultilingualText>;

/** Any JSON object, returned as it came. */
export const FreeFormMap = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });

/** How many of a list come in one answer. */
export const Limit = Defaulted(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'How many to return, at most 1,000',
    examples: [100],
  }),
);

export const SkipLimit = Type.Object({
  skip: Defaulted(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'How many to leave out from the start of the list',
      examples: [0],
    }),
  ),
  limit: Limit,
});

/** A part of a list. */
export type Page = Static<typeof SkipLimit>;

type Patched<S extends TSchema> =
  S extends TOptional<infer Field extends TSchema> ? TOptional<TUnsafe<Static<Field> | null>> : TOptional<S>;

/** What a PATCH takes of these fields: null clears one that may be missing, and is refused for one that may not. */
export function PatchOf<Fields extends Record<string, TSchema>>(fields: Fields, options: { $id: string }) {
  const patched = Object.entries(fields).map(([name, schema]) => [
    name,
    Type.Optional(Type.IsOptional(schema) ? clearable(schema) : schema),
  ]);
  return asPatch(
    Type.Object(Object.fromEntries(patched) as { [Name in keyof Fields]: Patched<Fields[Name]> }, options),
  );
}

/** Without the `$id`: in the OpenAPI document it names the shape that cannot be null. */
function clearable(schema: TSchema): TSchema {
  const kept = withoutId(schema) as TSchema & { type: string };
  return Type.Unsafe<unknown>({ ...kept, type: [kept.type, 'null'] });
}

/** For the use in a request of a shape whose `$id` names, in the OpenAPI document, the shape of the answer. */
export function withoutId<S extends TSchema>(schema: S): S {
  const { $id: _, ...kept } = schema as S & { $id?: string };
  return kept as S;
}
