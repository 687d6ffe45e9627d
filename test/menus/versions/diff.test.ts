import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffConfigurations, EMPTY_CONFIGURATION } from '../../../src/menus/versions/diff.js';
import { KINDS, LIST_OF } from '../../../src/menus/kinds.js';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { canonicalText } from '../../../src/menus/publish/canonical-text.js';
import { anyConfiguration } from '../arbitrary-menu.js';

const NONE = { added: [], removed: [], changed: [], reordered: false };
const name = (en: string) => ({ translations: { en } });
const item = (external_id: string, price: number, more: object = {}) => ({
  external_id,
  name: name('Soup'),
  price,
  tax: 0,
  sell_separately: true,
  ...more,
});

describe('the difference between two configurations', () => {
  it('is nothing between equal ones, and the text of equal ones is equal', () => {
    fc.assert(
      fc.property(anyConfiguration, (configuration) => {
        const turned = turnMaps(configuration);
        for (const kind of KINDS)
          expect(diffConfigurations(configuration, turned)[LIST_OF[kind]]).toEqual(NONE);
        expect(canonicalText(turned)).toBe(canonicalText(configuration));
      }),
    );
  });

  it('adds everything to nothing, and takes it away again', () => {
    fc.assert(
      fc.property(anyConfiguration, (configuration) => {
        const there = diffConfigurations(EMPTY_CONFIGURATION, configuration);
        const back = diffConfigurations(configuration, EMPTY_CONFIGURATION);
        for (const kind of KINDS) {
          const list = LIST_OF[kind];
          const ids = (configuration[list] ?? []).map(({ external_id }) => external_id);
          expect(there[list]).toEqual({ ...NONE, added: ids });
          expect(back[list]).toEqual({ ...NONE, removed: ids });
        }
      }),
    );
  });

  it('names the fields that changed', () => {
    const before: MenuConfiguration = { items: [item('a', 1), item('b', 1), item('c', 1)] };
    const after: MenuConfiguration = {
      items: [item('c', 1), item('a', 2, { name: name('Stew'), dietary_labels: ['VEGAN'] }), item('d', 1)],
    };
    expect(diffConfigurations(before, after).items).toEqual({
      added: ['d'],
      removed: ['b'],
      changed: [{ external_id: 'a', fields: ['name.translations.en', 'price', 'dietary_labels'] }],
      reordered: true,
    });
  });
});

/** The same configuration with the keys of every map the other way round. */
function turnMaps(configuration: MenuConfiguration): MenuConfiguration {
  const turned: unknown = JSON.parse(JSON.stringify(configuration), (field, value: unknown) =>
    field === 'translations' ? Object.fromEntries(Object.entries(value as object).reverse()) : value,
  );
  return turned as MenuConfiguration;
}
