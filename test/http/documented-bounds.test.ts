import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { openForGuests } from '../harness/guest.js';
import { useService } from '../harness/service.js';
import { createTenant } from '../harness/tenant.js';

interface Shape {
  readonly $ref?: string;
  readonly anyOf?: readonly Shape[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Shape }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> };
}

type Place = readonly (string | number)[];

/** A value at a bound or just past it, and the error that it must have. */
interface Trial {
  readonly loc: Place;
  readonly value: unknown;
  readonly error?: string;
}

const BOUND_ERRORS = new Set([
  'less_than_equal',
  'greater_than_equal',
  'string_too_long',
  'string_too_short',
  'too_long',
  'too_short',
  'enum',
  'extra_forbidden',
]);

const service = await useService();
const { merchantId, storeId } = await createTenant(service);
const { place } = await openForGuests(service);

/** Menus ignore what they do not know, wherever they are sent; a line of an order may have anything. */
const TAKES_ANY_KEY = /\/(MenuConfigurationRequest|QuoteLineRequest)$/;
const UNKNOWN_KEY = 'not_a_field';

const resolve = ({ components }: Document, shape: Shape): Shape => {
  const name = shape.$ref?.split('/').at(-1);
  const inner =
    name === undefined ? shape.anyOf?.find(({ type }) => type !== 'null') : components.schemas[name];
  return inner === undefined ? shape : resolve({ components } as Document, inner);
};

const typeOf = ({ type }: Shape) => [type].flat().find((name) => name !== 'null');

/** The least that fits a shape. */
function sample(document: Document, shape: Shape): unknown {
  const {
    enum: values,
    minimum = 0,
    minLength = 1,
    properties = {},
    required = [],
    ...rest
  } = resolve(document, shape);
  if (values !== undefined) return values[0];
  switch (typeOf(rest)) {
    case 'string':
      return 'a'.repeat(minLength);
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return Object.fromEntries(required.map((name) => [name, sample(document, properties[name] ?? {})]));
  }
}

/** What there is to try of one value. */
function boundsOf(document: Document, shape: Shape): Omit<Trial, 'loc'>[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, enum: values, items = {} } = shape;
  const list = (length: number) => Array.from({ length }, () => sample(document, items));
  const around = (at: number | undefined, step: 1 | -1, error: string, make: (amount: number) => unknown) =>
    at === undefined || (at + step < 0 && make !== Number)
      ? []
      : [{ value: make(at) }, { value: make(at + step), error }];
  return [
    ...around(maximum, 1, 'less_than_equal', Number),
    ...around(minimum, -1, 'greater_than_equal', Number),
    ...around(maxLength, 1, 'string_too_long', (length) => 'a'.repeat(length)),
    ...around(minLength, -1, 'string_too_short', (length) => 'a'.repeat(length)),
    ...around(maxItems, 1, 'too_long', list),
    ...around(minItems, -1, 'too_short', list),
    // Where nothing is told of a bound, there is none within reach.
    ...(typeOf(shape) === 'string' && values === undefined && maxLength === undefined
      ? [{ value: 'a'.repeat(20_000) }]
      : []),
    ...(typeOf(shape) === 'integer' && values === undefined && minimum === undefined
      ? [{ value: -(2 ** 53 - 1) }]
      : []),
    ...(typeOf(shape) === 'integer' && values === undefined && maximum === undefined
      ? [{ value: 2 ** 53 - 1 }]
      : []),
    ...(typeOf(shape) === 'array' && maxItems === undefined ? [{ value: list(3_000) }] : []),
    ...(values === undefined
      ? []
      : [
          ...values.map((value) => ({ value })),
          { value: typeof values[0] === 'number' ? 7 : 'NONE OF THEM', error: 'enum' },
        ]),
  ];
}

/** All trials of a body, each a whole body with one value that is looked at; of a shape within itself, two levels. */
function trialsOf(
  document: Document,
  schema: Shape,
  loc: Place,
  place: (value: unknown) => unknown,
  within: readonly string[] = [],
): Trial[] {
  const { $ref = '' } = schema;
  if ($ref !== '' && within.filter((outer) => outer === $ref).length === 2) return [];
  const refs = [...within, $ref];
  const shape = resolve(document, schema);
  const { properties = {}, items, additionalProperties } = shape;
  const whole = sample(document, shape) as object;
  const takesAnyKey =
    document.paths['/v1/stores/'] !== undefined || refs.some((ref) => TAKES_ANY_KEY.test(ref));
  return [
    ...(Object.keys(properties).length === 0
      ? []
      : [
          {
            loc: [...loc, UNKNOWN_KEY],
            value: place({ ...whole, [UNKNOWN_KEY]: null }),
            ...(takesAnyKey ? {} : { error: 'extra_forbidden' }),
          },
        ]),
    ...boundsOf(document, shape).map((trial) => ({ ...trial, loc, value: place(trial.value) })),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      trialsOf(document, inner, [...loc, name], (value) => place({ ...whole, [name]: value }), refs),
    ),
    ...(items === undefined ? [] : trialsOf(document, items, [...loc, 0], (value) => place([value]), refs)),
    ...(typeof additionalProperties === 'object'
      ? trialsOf(document, additionalProperties, [...loc, 'en'], (value) => place({ en: value }), refs)
      : []),
  ];
}

/** The errors of a bound that the service finds at this place. */
async function errorsAt(method: string, url: string, loc: Place, body: unknown): Promise<string[]> {
  const answer = await ask<{ detail?: unknown }>(url, {
    method,
    key: service.operatorKey,
    headers: { 'idempotency-key': randomUUID() },
    body,
  });
  const { detail } = answer.body;
  if (answer.status !== 422 || !Array.isArray(detail)) return [];
  return (detail as { loc: Place; type: string }[])
    .filter(({ loc: found, type }) => JSON.stringify(found) === JSON.stringify(loc) && BOUND_ERRORS.has(type))
    .map(({ type }) => type);
}

it.each([
  ['/openapi.json', 90],
  ['/manage/openapi.json', 500],
  ['/guest/openapi.json', 40],
] as const)('checks exactly the bounds that %s tells of, and what keys there are', async (path, least) => {
  const { body: document } = await ask<Document>(service.url + path);
  const wrong: unknown[] = [];
  let tried = 0;
  const compare = (operation: string, { loc, error }: Trial, found: readonly string[]) => {
    tried += 1;
    const expected = error === undefined ? [] : [error];
    if (found.join() !== expected.join()) wrong.push({ operation, loc, expected, found });
  };
  for (const [template, methods] of Object.entries(document.paths)) {
    const filled = template
      .replace(/\{store_(service_)?id\}/, storeId)
      .replace('{merchant_id}', merchantId)
      .replace('{code}', place.code)
      .replace(/\{(from|to|version)\}/g, '1');
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const operation = `${method.toUpperCase()} ${template}`;
      const url = service.url + filled;
      for (const { name, in: where, schema } of parameters) {
        if (where !== 'query') continue;
        const loc = ['query', name];
        for (const trial of boundsOf(document, resolve(document, schema))) {
          // On the manage side the second one is an error by itself, so that no request waits for news or streams.
          const search = `${name}=${encodeURIComponent(String(trial.value))}&unknown=`;
          compare(
            operation,
            { ...trial, loc },
            await errorsAt(method.toUpperCase(), `${url}?${search}`, loc, undefined),
          );
        }
      }
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined || filled.includes('{')) continue;
      for (const trial of trialsOf(document, schema, ['body'], (value) => value)) {
        // A menu within a body is checked once the rest of it holds, as a menu by itself is.
        if (operation === 'POST /manage/v1/menu/publications' && trial.loc[1] === 'menu') continue;
        compare(operation, trial, await errorsAt(method.toUpperCase(), url, trial.loc, trial.value));
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(least);
});
