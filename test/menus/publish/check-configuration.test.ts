import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValidationFailed, type ErrorDetail } from '../../../src/support/error-details.js';
import { compileConfigurationCheck } from '../../../src/menus/publish/check-configuration.js';
import { LIST_OF, REFERENCES } from '../../../src/menus/kinds.js';
import { anyConfiguration } from '../arbitrary-menu.js';

const check = compileConfigurationCheck({
  items: 100,
  menus: 10,
  categories: 100,
  modifier_groups: 100,
  modifier_items: 100,
});

function errorsOf(body: unknown): readonly ErrorDetail[] {
  try {
    check(body);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors;
    throw error;
  }
}

const name = { translations: { en: 'A' } };
const item = { external_id: 'soup', name, price: 1, tax: 0, sell_separately: true };
const group = { external_id: 'g', type: 't', name, group_max: 1, group_min: 0, charge_after: 0 };
const modifier = {
  external_id: 'o',
  name,
  price_change: 0,
  tax_change: 0,
  min_quantity: 0,
  max_quantity: 1,
  default_quantity: 0,
};

describe('checking a configuration', () => {
  it('hands on any valid one unchanged', () => {
    fc.assert(
      fc.property(anyConfiguration, (configuration) => {
        expect(check(configuration)).toEqual(configuration);
      }),
    );
  });

  it('names the entity that an error lies in', () => {
    const category = { external_id: 'mains', name, item_external_ids: ['stew'] };
    const body = {
      items: [
        { ...item, price: '1' },
        { ...item, external_id: 5 },
      ],
      categories: [category],
    };
    expect(errorsOf(body).map(({ loc, ctx }) => [loc.join('.'), ctx])).toEqual([
      ['body.items.0.price', { external_id: 'soup' }],
      ['body.items.1.external_id', undefined],
      ['body.categories.0.item_external_ids.0', { external_id: 'mains' }],
    ]);
  });

  it('shows long external_ids so that two that differ never look alike', () => {
    const long = 'x'.repeat(254);
    const category = { external_id: 'c', name, item_external_ids: [`${long}1`] };
    const errors = errorsOf({ items: [{ ...item, external_id: `${long}2` }], categories: [category] });
    expect(errors).toMatchObject([
      { msg: `No item has the external_id '${long}1'; did you mean '${long}2'?` },
    ]);
    expect(errors[0]?.input).toBe(`${'x'.repeat(100)}…${'x'.repeat(98)}1`);
  });

  it('reports any single broken reference at its place, and nothing else', () => {
    const broken = fc
      .tuple(anyConfiguration, fc.constantFrom(...REFERENCES), fc.nat(), fc.nat())
      .filter(([configuration, { from }]) => (configuration[LIST_OF[from]] ?? []).length > 0);
    fc.assert(
      fc.property(broken, ([configuration, { from, field, holds }, entityAt, referenceAt]) => {
        const list = LIST_OF[from];
        const entities = structuredClone(configuration[list] ?? []) as unknown as Record<string, unknown>[];
        const i = entityAt % entities.length;
        const entity = entities[i] ?? {};
        const references = (entity[field] ?? []) as string[];
        const position = referenceAt % (references.length + 1);
        entity[field] =
          holds === 'one' ? 'there is no such id' : references.toSpliced(position, 0, 'there is no such id');
        const loc = ['body', list, i, field, ...(holds === 'one' ? [] : [position])];
        expect(errorsOf({ ...configuration, [list]: entities })).toMatchObject([
          { loc, type: 'unresolved_reference' },
        ]);
      }),
    );
  });

  it('names what was probably meant', () => {
    const categories = [{ external_id: 'c', name, item_external_ids: ['suop', 'SOUP', 'stew'] }];
    expect(errorsOf({ items: [item], categories }).map(({ loc, msg, type }) => ({ loc, msg, type }))).toEqual(
      [
        {
          loc: ['body', 'categories', 0, 'item_external_ids', 0],
          msg: "No item has the external_id 'suop'; did you mean 'soup'?",
          type: 'unresolved_reference',
        },
        {
          loc: ['body', 'categories', 0, 'item_external_ids', 1],
          msg: "No item has the external_id 'SOUP'; did you mean 'soup'?",
          type: 'unresolved_reference',
        },
        {
          loc: ['body', 'categories', 0, 'item_external_ids', 2],
          msg: "No item has the external_id 'stew'",
          type: 'unresolved_reference',
        },
      ],
    );
  });

  it('reports errors of shape, of rules and of reference in one answer', () => {
    const body = {
      items: [{ ...item, price: '1' }, item, { ...item, external_id: 7 }],
      modifier_groups: [{ ...group, name: 5, group_min: 2, modifier_item_external_ids: ['o', 'nowhere'] }],
      modifier_items: [{ ...modifier, min_quantity: 2, default_quantity: 3, menu_item_external_id: 'soup' }],
      menus: [
        {
          external_id: 'm',
          availability: [
            { day_of_week: 'Mon', time_periods: [{ start_time: '9:00', end_time: '25:00' }] },
            { day_of_week: 'monday', time_periods: [{ start_time: '09:00', end_time: '09:00:00' }] },
          ],
        },
      ],
    };
    expect(errorsOf(body).map(({ loc, type }) => [loc.slice(1).join('.'), type])).toEqual([
      ['items.0.price', 'int_type'],
      ['items.2.external_id', 'string_type'],
      ['menus.0.availability.0.day_of_week', 'value_error'],
      ['menus.0.availability.0.time_periods.0.start_time', 'value_error'],
      ['menus.0.availability.0.time_periods.0.end_time', 'value_error'],
      ['modifier_groups.0.name', 'model_attributes_type'],
      ['modifier_groups.0.group_max', 'value_error'],
      ['modifier_items.0.max_quantity', 'value_error'],
      ['modifier_items.0.default_quantity', 'value_error'],
      ['menus.0.availability.1.time_periods.0.end_time', 'value_error'],
      ['items.1.external_id', 'duplicate_external_id'],
      ['modifier_groups.0.modifier_item_external_ids.1', 'unresolved_reference'],
    ]);
  });

  it('shows a hundred errors and counts the rest', () => {
    const categories = [
      { external_id: 'c', name, item_external_ids: Array.from({ length: 1000 }, () => 'no') },
    ];
    const errors = errorsOf({ items: [], categories });
    expect([errors.length, errors.at(-1)]).toEqual([
      101,
      { loc: ['body'], msg: '900 more errors not shown', type: 'too_many_errors' },
    ]);
  });

  it('says of a list that is too long only that', () => {
    const menus = Array.from({ length: 11 }, () => ({}));
    expect(errorsOf({ items: [], menus })).toMatchObject([{ loc: ['body', 'menus'], type: 'too_long' }]);
  });

  it.each([[[]], ['text'], [null], [5]])('refuses %j as a body', (body) => {
    expect(errorsOf(body)).toMatchObject([{ loc: ['body'], type: 'model_attributes_type' }]);
  });
});
