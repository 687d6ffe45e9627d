import { Type, type TSchema } from '../../../src/support/shape/type.js';
import { describe, expect, it } from 'vitest';
import { ErrorList, type ErrorDetail, reportValueError } from '../../../src/support/error-details.js';
import { compileShape, withRule } from '../../../src/support/shape/compile-shape.js';
import { compileQuery } from '../../../src/support/shape/compile-query.js';
import {
  Datetime,
  Defaulted,
  ExternalId,
  FreeFormMap,
  MapOf,
  MultilingualText,
  OneOf,
} from '../../../src/support/shape/common-shapes.js';

const Dish = Type.Object({
  external_id: ExternalId(),
  name: MultilingualText,
  price: Type.Integer({ minimum: 0 }),
  strength: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  in_stock: Type.Optional(Type.Boolean()),
  labels: Type.Optional(Type.Array(OneOf(['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE']), { maxItems: 2 })),
  since: Type.Optional(Datetime()),
  extra: Type.Optional(FreeFormMap()),
});
const check = compileShape(Dish);
const dish = { external_id: 'a', name: { translations: { en: 'Soup' } }, price: 1 };

function errorsOf(value: unknown): readonly ErrorDetail[] {
  const errors = new ErrorList();
  check(value, ['body'], errors);
  return errors.toArray();
}

describe('compileShape', () => {
  it('drops unknown keys and null for an optional field', () => {
    const errors = new ErrorList();
    const cleaned = check({ ...dish, in_stock: null, other: 1 }, ['body'], errors);
    expect([cleaned, errors.total]).toEqual([dish, 0]);
  });

  it('hands a date-time on in the form of the answers', () => {
    expect(check({ ...dish, since: '2026-01-02 03:04+01:00' }, [], new ErrorList()).since).toBe(
      '2026-01-02T02:04:00.000Z',
    );
  });

  it.each<[Record<string, unknown>, string, string, unknown[]]>([
    [{ external_id: undefined }, 'missing', 'Field required', ['external_id']],
    [{ external_id: null }, 'string_type', 'Input should be a valid string', ['external_id']],
    [{ external_id: 5 }, 'string_type', 'Input should be a valid string', ['external_id']],
    [{ external_id: '' }, 'string_too_short', 'String should have at least 1 character', ['external_id']],
    [
      { external_id: 'x'.repeat(256) },
      'string_too_long',
      'String should have at most 255 characters',
      ['external_id'],
    ],
    [{ price: '1' }, 'int_type', 'Input should be a valid integer', ['price']],
    [{ price: true }, 'int_type', 'Input should be a valid integer', ['price']],
    [
      { price: 1.5 },
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
      ['price'],
    ],
    [{ price: -1 }, 'greater_than_equal', 'Input should be greater than or equal to 0', ['price']],
    [
      { price: 2 ** 53 },
      'less_than_equal',
      'Input should be less than or equal to 9007199254740991',
      ['price'],
    ],
    [
      { price: Infinity },
      'less_than_equal',
      'Input should be less than or equal to 9007199254740991',
      ['price'],
    ],
    [{ strength: Infinity }, 'finite_number', 'Input should be a finite number', ['strength']],
    [{ strength: '7' }, 'float_type', 'Input should be a valid number', ['strength']],
    [{ strength: 101 }, 'less_than_equal', 'Input should be less than or equal to 100', ['strength']],
    [{ in_stock: 1 }, 'bool_type', 'Input should be a valid boolean', ['in_stock']],
    [{ labels: 'VEGAN' }, 'list_type', 'Input should be a valid list', ['labels']],
    [{ labels: ['vegan'] }, 'enum', "Input should be 'VEGAN', 'VEGETARIAN' or 'GLUTEN_FREE'", ['labels', 0]],
    [
      { labels: [1, 2, 3] },
      'too_long',
      'List should have at most 2 items after validation, not 3',
      ['labels'],
    ],
    [
      { name: 'Soup' },
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
      ['name'],
    ],
    [
      { name: { translations: [] } },
      'dict_type',
      'Input should be a valid dictionary',
      ['name', 'translations'],
    ],
    [
      { name: { translations: { en: null } } },
      'string_type',
      'Input should be a valid string',
      ['name', 'translations', 'en'],
    ],
    [
      { name: { translations: { '': 'x' } } },
      'string_too_short',
      'String should have at least 1 character',
      ['name', 'translations', '', '[key]'],
    ],
    [
      { extra: { a: ['\ud800'] } },
      'string_unicode',
      'Input should be a valid string, unable to parse raw data as a unicode string',
      ['extra', 'a', 0],
    ],
    [
      { extra: { 'a\u0000': 1 } },
      'string_unicode',
      'Input should be a valid string, unable to parse raw data as a unicode string',
      ['extra', 'a\u0000', '[key]'],
    ],
    [
      { since: '2026-02-30' },
      'datetime_from_date_parsing',
      'Input should be a valid datetime or date, day value is outside expected range',
      ['since'],
    ],
  ])('reports %j as %s', (change, type, msg, loc) => {
    expect(errorsOf({ ...dish, ...change })).toMatchObject([{ type, msg, loc: ['body', ...loc] }]);
  });

  it('reports both a key and its value', () => {
    const key = 'k'.repeat(36);
    expect(errorsOf({ ...dish, name: { translations: { [key]: 5 } } })).toMatchObject([
      { type: 'string_too_long', loc: ['body', 'name', 'translations', key, '[key]'] },
      { type: 'string_type', loc: ['body', 'name', 'translations', key] },
    ]);
  });

  it('gives back no more than 200 characters of a key, and no half of a pair', () => {
    const [long, half] = errorsOf({ ...dish, extra: { ['k'.repeat(1000)]: '\0', '\ud800': 1 } });
    expect(long?.loc).toEqual(['body', 'extra', `${'k'.repeat(100)}…${'k'.repeat(99)}`]);
    expect(half?.loc).toEqual(['body', 'extra', '\ufffd', '[key]']);
  });

  it('takes 255 characters outside the basic plane as 255', () => {
    expect(errorsOf({ ...dish, external_id: '\u{1f35c}'.repeat(255) })).toEqual([]);
    expect(errorsOf({ ...dish, external_id: '\u{1f35c}'.repeat(256) })).toHaveLength(1);
  });

  it('takes 1.0 as an integer', () => {
    expect(errorsOf({ ...dish, price: JSON.parse('1.0') as unknown })).toEqual([]);
  });

  it('keeps __proto__ in a map as data', () => {
    const extra = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    const cleaned = check({ ...dish, extra }, [], new ErrorList());
    expect(JSON.stringify(cleaned.extra)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reports a hundred errors and counts the rest as long as that is cheap', () => {
    const errors = new ErrorList();
    compileShape(Type.Array(Type.Integer()))(Array<string>(700_000).fill('x'), ['body'], errors);
    const listed = errors.toArray();
    expect(listed).toHaveLength(101);
    expect(listed.at(-1)).toEqual({
      loc: ['body'],
      msg: 'at least 9900 more errors not shown',
      type: 'too_many_errors',
    });
  });

  it('echoes no more than 200 characters of what was sent', () => {
    const [error] = errorsOf({ ...dish, price: 'y'.repeat(5_000) });
    expect(String(error?.input)).toHaveLength(200);
  });

  it('runs a rule only on a value whose shape has no error', () => {
    const Range = withRule(Type.Object({ min: Type.Integer(), max: Type.Integer() }), (range, visit) => {
      if (range.min > range.max) reportValueError(visit, 'min must not exceed max');
    });
    const errors = new ErrorList();
    const checkRange = compileShape(Range);
    checkRange({ min: 2, max: 1 }, ['body'], errors);
    checkRange({ min: 'x', max: 1 }, ['body'], errors);
    expect(errors.toArray().map((error) => error.msg)).toEqual([
      'Value error, min must not exceed max',
      'Input should be a valid integer',
    ]);
  });
});

it('refuses keys that a shape does not know, where told to, with the nearest one that it knows', () => {
  const shape = Type.Object({
    price: Type.Optional(Type.Integer()),
    lines: Type.Optional(Type.Array(Type.Object({ quantity: Type.Integer() }))),
    custom: Type.Optional(FreeFormMap()),
  });
  const read = (value: unknown) => {
    const errors = new ErrorList();
    compileShape(shape, 'refused')(value, ['body'], errors);
    return errors.toArray().map(({ type, loc, msg, input }) => [type, loc.join('.'), msg, input]);
  };
  const msg = 'Extra inputs are not permitted';
  expect(
    read({
      pirce: 3,
      colour: 'red',
      lines: [{ quantity: 1, Quantity: 2 }],
      custom: { anything: [{ goes: 1 }] },
    }),
  ).toEqual([
    ['extra_forbidden', 'body.lines.0.Quantity', `${msg}; did you mean 'quantity'?`, 2],
    ['extra_forbidden', 'body.pirce', `${msg}; did you mean 'price'?`, 3],
    ['extra_forbidden', 'body.colour', msg, 'red'],
  ]);
  expect(read(JSON.parse('{"__proto__":{"price":1},"constructor":null}'))).toEqual([
    ['extra_forbidden', 'body.__proto__', msg, { price: 1 }],
    ['extra_forbidden', 'body.constructor', msg, null],
  ]);
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));
  const told = read(many);
  expect([told.length, told.at(-1)?.[2]]).toEqual([101, 'at least 9900 more errors not shown']);
});

it('takes every finite number into a free-form map', () => {
  const read = (text: string) => {
    const errors = new ErrorList();
    compileShape(FreeFormMap())(JSON.parse(text), ['body'], errors);
    return errors.toArray().map(({ type, loc }) => [type, ...loc]);
  };
  expect(read('{"n":[1e20,1e300,9007199254740992,1e-300,0.1]}')).toEqual([]);
  expect(read('{"n":[9007199254740991,1e400,-1e400]}')).toEqual([
    ['value_error', 'body', 'n', 1],
    ['value_error', 'body', 'n', 2],
  ]);
});

describe('a keyword that the check would not heed', () => {
  it.each<[string, TSchema]>([
    ['pattern', Type.String({ pattern: '^a' })],
    ['const', Type.Unsafe({ type: 'string', const: 'a' })],
    ['anyOf', Type.Unsafe({ anyOf: [Type.String(), Type.Integer()] })],
    ['uniqueItems', Type.Array(Type.String(), { uniqueItems: true })],
    ['multipleOf', Type.Integer({ multipleOf: 5 })],
    ['exclusiveMinimum', Type.Number({ exclusiveMinimum: 0 })],
    ['additionalProperties', Type.Object({ a: Type.String() }, { additionalProperties: false })],
    ['minProperties', FreeFormMap({ minProperties: 1 })],
    ['pattern', MapOf(Type.String(), { propertyNames: { pattern: 'a' } as object })],
    ['maxLength', OneOf(['a', 'b'], { maxLength: 1 })],
    ['minLength', Datetime({ minLength: 1 })],
  ])('(%s) fails when the shape is compiled, however deep it stands', (keyword, schema) => {
    const inside = Type.Object({ list: Type.Array(Type.Object({ field: Type.Optional(schema) })) });
    for (const each of [schema, inside])
      expect(() => compileShape(each)).toThrow(`does not know the keyword ${keyword}`);
    expect(() => compileQuery(Type.Object({ field: schema }), 'query', 'ignored')).toThrow(keyword);
  });

  it('is also a format or a type', () => {
    expect(() => compileShape(Type.String({ format: 'email' }))).toThrow('does not know the format email');
    expect(() => compileShape(Type.Unsafe({ type: 'null' }))).toThrow('No check for the schema type null');
    expect(() => compileQuery(Type.Object({ list: Type.Array(Type.String()) }), 'query', 'ignored')).toThrow(
      'No check for a parameter of the type array',
    );
  });
});

describe('the default of a schema', () => {
  const Page = Type.Object({
    size: Defaulted(Type.Integer({ minimum: 1, default: 20 })),
    hidden: Defaulted(Type.Boolean({ default: false })),
    name: Type.Optional(Type.String()),
  });

  it('takes the place of a field that is left out or null', () => {
    const checkPage = compileShape(Page);
    const errors = new ErrorList();
    const cleaned = [{}, { size: null }, { size: 3, hidden: true, name: 'x' }].map((value) =>
      checkPage(value, ['body'], errors),
    );
    const filled = { size: 20, hidden: false };
    expect([cleaned, errors.total]).toEqual([[filled, filled, { size: 3, hidden: true, name: 'x' }], 0]);
  });

  it('takes the place of a parameter that is not given; one that is given is read from its text', () => {
    const checkPage = compileQuery(Page, 'query', 'ignored');
    const errors = new ErrorList();
    expect(checkPage({}, errors)).toEqual({ size: 20, hidden: false });
    expect(checkPage({ size: '3', hidden: 'Yes' }, errors)).toEqual({ size: 3, hidden: true });
    expect(errors.total).toBe(0);
    checkPage({ hidden: 'perhaps' }, errors);
    expect(errors.toArray()).toEqual([
      {
        loc: ['query', 'hidden'],
        msg: 'Input should be a valid boolean, unable to interpret input',
        type: 'bool_parsing',
        input: 'perhaps',
      },
    ]);
  });
});
