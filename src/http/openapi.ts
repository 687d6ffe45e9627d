import { Type, type TSchema } from '../support/shape/type.js';
import { isPatchShape } from '../support/shape/compile-shape.js';
import { LONGEST_STRING } from '../support/shape/values.js';
import { HTTPValidationError, problem } from './errors.js';
import type { ResponseSpec, BodySpec, Route } from './route.js';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Whether its operations need no key. */
  readonly isOpen?: boolean;
}

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of a surface, made from the very shapes that check its requests. */
export function describeSurface(info: DocumentInfo, routes: readonly Route[]): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  // First of all, so that a shape that responses show too is described as it may be sent.
  for (const { body } of routes) if (body !== undefined) reference(asSent(body.schema), components);
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = describeOperation(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      contact: { name: 'Whoever runs this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: info.tags,
    security: info.isOpen === true ? [] : [{ APIKeyHeader: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      ...(info.isOpen === true ? {} : { securitySchemes: KEY_HEADER }),
    },
  };
}

const KEY_HEADER = { APIKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' } };

function describeOperation(route: Route, components: Map<string, Json>): Json {
  const { operationId, summary, description, tag, body } = route;
  const parameters = [
    ...describeParameters('path', route.params, components),
    ...describeParameters('query', route.query, components),
    ...describeParameters('header', route.headers, components),
  ];
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body && describeBody(body, components),
    responses: Object.fromEntries(
      [...route.responses, ...commonResponses(route)]
        .sort((a, b) => a.status - b.status)
        .map((response) => [String(response.status), describeResponse(response, components)]),
    ),
  };
}

const RetryAfter = Type.Object({
  'Retry-After': Type.Integer({ description: 'Seconds to wait before retrying', examples: [1] }),
});

/** What any operation can answer, for what it takes. */
function commonResponses(route: Route): ResponseSpec[] {
  const stated = new Set(route.responses.map(({ status }) => status));
  const common: ResponseSpec[] = [
    problem(400, 'Malformed HTTP request'),
    problem(414, 'The path and query are too long'),
    problem(431, 'The headers are too long'),
    ...(route.permission === 'guest'
      ? []
      : [
          problem(401, 'The key is missing or invalid'),
          problem(403, 'The key lacks the required permission'),
        ]),
    ...(route.path.includes('{')
      ? [problem(404, 'The resource does not exist, or the key may not see it')]
      : []),
    ...('Idempotency-Key' in (route.headers?.properties ?? {})
      ? [problem(409, 'The Idempotency-Key was used with a different body, or is in use by another request')]
      : []),
    problem(421, 'The merchant has moved to another installation; `Location` is its address'),
    { status: 422, description: 'Validation Error', schema: HTTPValidationError },
    ...(route.body === undefined
      ? []
      : [
          problem(408, 'The body did not arrive in time'),
          problem(413, 'The body is too large'),
          problem(415, 'The content type or content coding is not supported'),
        ]),
    { ...problem(429, 'Too many requests'), headers: RetryAfter },
    problem(500, 'Internal Server Error'),
    {
      ...problem(503, 'The database is unavailable, the service is overloaded, or the merchant is moving'),
      headers: RetryAfter,
    },
  ];
  return common.filter(({ status }) => !stated.has(status));
}

function describeParameters(
  place: 'path' | 'query' | 'header',
  shape: TSchema | undefined,
  components: Map<string, Json>,
): Json[] {
  const { properties = {}, required = [] } = (shape ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, examples, ...rest } = schema as { description?: string; examples?: unknown[] };
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description,
      example: examples?.[0],
      schema: reference(rest, components),
    };
  });
}

function describeBody(body: BodySpec, components: Map<string, Json>): Json {
  return {
    required: !(body.kind === 'json' && body.isOptional === true),
    content: Object.fromEntries(
      contentTypesOf(body).map((contentType) => [
        contentType,
        { schema: reference(asSent(body.schema), components), example: body.example },
      ]),
    ),
  };
}

function contentTypesOf(body: BodySpec): readonly string[] {
  if (body.kind === 'file') return body.contentTypes;
  return [body.kind === 'stream' ? body.contentType : 'application/json'];
}

function describeResponse(response: ResponseSpec, components: Map<string, Json>): Json {
  const { description, schema, headers, example, contentType = 'application/json', orAsText } = response;
  const content = schema && { schema: reference(schema, components), example };
  const text = orAsText === undefined ? {} : { [orAsText]: { schema: { type: 'string' } } };
  return {
    description,
    headers: headers && describeHeaders(headers, components),
    content: content && { [contentType]: content, ...text },
  };
}

function describeHeaders(shape: TSchema, components: Map<string, Json>): Json {
  const described = describeParameters('header', shape, components);
  return Object.fromEntries(
    described.map(({ name, in: _place, ...header }): [string, unknown] => [String(name), header]),
  );
}

/** In a body null is the same as leaving an optional field out, only a PATCH tells them apart; and no text may have any length. */
function asSent(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asSent);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  const isNullable = (name: string) => !isPatchShape(schema) && !required.includes(name);
  const describeFields = (fields: Json) =>
    Object.entries(fields).map(([name, field]) => [
      name,
      isNullable(name) ? takingNull(asSent(field) as Json) : asSent(field),
    ]);
  const described = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'examples' || key === 'default') return [key, value];
    return [key, value === properties ? Object.fromEntries(describeFields(value as Json)) : asSent(value)];
  });
  const { type, enum: values } = schema as Json;
  return {
    ...(isUnboundedText(schema) ? { maxLength: LONGEST_STRING } : {}),
    ...Object.fromEntries(described),
    // What a PATCH clears with null.
    ...(Array.isArray(type) && Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

function isUnboundedText(schema: object): boolean {
  const { type, enum: values, format } = schema as Json;
  return (
    [type].flat().includes('string') && values === undefined && format !== 'date-time' && format !== 'binary'
  );
}

function takingNull(schema: Json): Json {
  const { $id, type, enum: values } = schema;
  if ($id !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (typeof type !== 'string') return schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** Replaces every schema that has an `$id` by a reference, and notes it as a component of that name. */
function reference(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((element) => reference(element, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json & { $id?: string };
  if ($id === undefined) return mapMembers(rest, components);
  if (!components.has($id)) {
    components.set($id, {});
    components.set($id, { title: $id, ...mapMembers(rest, components) });
  }
  return { $ref: `#/components/schemas/${$id}` };
}

/** Examples are data: an `$id` in them would be no schema. */
function mapMembers(schema: Json, components: Map<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'examples' ? value : reference(value, components),
    ]),
  );
}
