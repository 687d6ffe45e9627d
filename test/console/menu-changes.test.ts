import './speak-english.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toChanges } from '../../console/src/pages/menu/changes/to-changes.js';
import { diffConfigurations } from '../../src/menus/versions/diff.js';
import type { MenuDiff } from '#sdk';
import type { MenuConfiguration } from '../../src/menus/shapes.js';
import { item, text } from '../harness/menu.js';
import { anyConfiguration } from '../menus/arbitrary-menu.js';

const changesOf = (before: MenuConfiguration, after: MenuConfiguration) =>
  toChanges(diffConfigurations(before, after) as MenuDiff, before, after, 'EUR');

/** The same configuration with ids that others of its kind have too, so that two of them share entities. */
function numbered(configuration: MenuConfiguration): MenuConfiguration {
  const lists = Object.entries(configuration).map(([kind, list]) => [
    kind,
    list.map((entity, i) => ({ ...entity, external_id: `${kind}-${i}` })),
  ]);
  return Object.fromEntries(lists) as MenuConfiguration;
}

test('two sides of a change never read the same, whatever the menus', () => {
  const any = anyConfiguration.map(numbered);
  fc.assert(
    fc.property(any, any, (before, after) => {
      const diff = diffConfigurations(before, after);
      const changes = changesOf(before, after);
      const counts = Object.values(diff).flatMap((kind) => [kind.added, kind.removed, kind.changed]);
      expect(changes.length).toBe(counts.flat().length);
      for (const { is, fields } of changes) {
        if (is === 'changed') expect(fields).not.toEqual([]);
        for (const field of fields) expect(field.before.trim()).not.toBe(field.after.trim());
      }
    }),
  );
});

test('a changed text is told with its field, its language, before and after', () => {
  const tea = (translations: Record<string, string>, more: object = {}) => ({
    items: [item('tea', { name: { translations }, ...more })],
  });
  const [change] = changesOf(
    tea({ en: 'Tea', es: 'Té', 'x.y': 'a' }),
    tea({ en: 'Mint tea', es: 'Té', 'x.y': 'b', de: 'Tee' }, { description: text('Hot'), price: 250 }),
  );
  expect(change?.fields).toEqual([
    { label: 'Name (en)', before: 'Tea', after: 'Mint tea' },
    { label: 'Name (x.y)', before: 'a', after: 'b' },
    { label: 'Name (de)', before: 'not stated', after: 'Tee' },
    { label: 'Price with tax', before: '€1.10 (tax 10%)', after: '€2.60 (tax 4%)' },
    { label: 'Description (en)', before: 'not stated', after: 'Hot' },
  ]);
});

test('what looks or is called the same on both sides is shown as it is written', () => {
  const hours = (day: string) => [
    { day_of_week: day, time_periods: [{ start_time: '08:00', end_time: '9:00' }] },
  ];
  const menu = (name: string, day: string, ids: string[]) => ({
    items: [item('a', { name: text('Fries') }), item('b', { name: text('Fries') })],
    categories: [{ external_id: 'c', name: text(name), item_external_ids: ids }],
    menus: [{ external_id: 'm', availability: hours(day) }],
  });
  const changes = changesOf(menu('Café', 'Monday', ['a']), menu('Cafe\u0301 ', 'MONDAY', ['b']));
  expect(changes.flatMap(({ fields }) => fields)).toEqual([
    { label: 'Serving hours', before: written(hours('Monday')), after: written(hours('MONDAY')) },
    { label: 'Name (en)', before: String.raw`"Caf\u00e9"`, after: String.raw`"Cafe\u0301 "` },
    { label: 'Items', before: '["a"]', after: '["b"]' },
  ]);
});

const written = (value: unknown) => JSON.stringify(value);
