import {
  isOptional,
  Type,
  type Static,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from './type.js';
import { asPatch } from './compile-shape.js';

/** Building blocks of every wire shape. */

/** Becomes the OpenAPI component of that name. */
export function NamedShape<P extends TProperties>(name: string, properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { $id: name, ...options });
}

/** An optional request field: the check fills in the `default` of its schema. */
export function Defaulted<S extends TSchema & { readonly default?: unknown }>(schema: S): S {
  // TypeBox considers an optional field possibly absent after the check; this one never is.
  return Type.Optional(schema);
}

/** A map from arbitrary strings to `member`. */
export function MapOf<S extends TSchema>(
  member: S,
  options: {
    maxProperties?: number;
    propertyNames?: { minLength?: number; maxLength?: number };
    [more: string]: unknown;
  } = {},
) {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: member, ...options });
}

export function OneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });
}

export const ExternalId = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: 255, ...options });

export const Datetime = (options: Record<string, unknown> = {}) =>
  Type.String({ format: 'date-time', ...options });

export const MultilingualText = NamedShape('MultilingualText', {
  translations: MapOf(Type.String(), {
    propertyNames: { minLength: 1, maxLength: 35 },
    maxProperties: 200,
    examples: [{ en: 'Flat white', es: 'Café con leche' }],
  }),
});
export type MultilingualText = Static<typeof MultilingualText>;

/** Any JSON object, returned unchanged. */
export const FreeFormMap = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });

export const Limit = Defaulted(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'Maximum number of results, at most 1,000',
    examples: [100],
  }),
);

export const SkipLimit = Type.Object({
  skip: Defaulted(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: 'Number of results to skip',
      examples: [0],
    }),
  ),
  limit: Limit,
});

export type Page = Static<typeof SkipLimit>;

type Patched<S extends TSchema> =
  S extends TOptional<infer Field extends TSchema> ? TOptional<TUnsafe<Static<Field> | null>> : TOptional<S>;

/** The PATCH form of these fields: null clears an optional field and is rejected for a required one. */
export function PatchOf<Fields extends Record<string, TSchema>>(fields: Fields, options: { $id: string }) {
  const patched = Object.entries(fields).map(([name, schema]) => [
    name,
    Type.Optional(isOptional(schema) ? clearable(schema) : schema),
  ]);
  return asPatch(
    Type.Object(Object.fromEntries(patched) as { [Name in keyof Fields]: Patched<Fields[Name]> }, options),
  );
}

/** Drops the `$id`, which names the non-null shape in the OpenAPI document. */
function clearable(schema: TSchema): TSchema {
  const kept = withoutId(schema) as TSchema & { type: string };
  return Type.Unsafe<unknown>({ ...kept, type: [kept.type, 'null'] });
}

/** The request form of a shape whose `$id` names the response form in the OpenAPI document. */
export function withoutId<S extends TSchema>(schema: S): S {
  const { $id: _, ...kept } = schema as S & { $id?: string };
  return kept as S;
}
