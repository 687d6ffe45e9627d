import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEntities } from '../../../src/menus/kinds.js';
import { statedStock } from '../../../src/menus/publish/stated-stock.js';
import { leastTreeSize } from '../../../src/menus/tree/size.js';
import { standsForOf, stockOfPosted } from '../../../src/menus/tree/stock-texts.js';
import { draftTree, fillDraft } from '../../../src/menus/tree/tree.js';
import type { KeptMark } from '../../../src/menus/stock/marks.js';
import type { MenuConfiguration } from '../../../src/menus/shapes.js';
import { flatText, treeFragments, type ParsedMenu } from '../../../src/menus/rendering/menu-forms.js';
import { measure, rootOf, assemble, streamFragments, valueAt } from '../../../src/menus/tree/fragments.js';
import { anyConfiguration } from '../arbitrary-menu.js';
import { naiveTree } from './naive-tree.js';

const anyMark: fc.Arbitrary<KeptMark> = fc.record(
  { inStock: fc.boolean(), prepType: fc.string({ maxLength: 5 }) },
  { requiredKeys: [] },
);

const anyMenu: fc.Arbitrary<ParsedMenu> = fc
  .tuple(anyConfiguration, fc.nat({ max: 99_999 }), fc.array(fc.option(anyMark), { maxLength: 40 }))
  .map(([configuration, first, marks]) => {
    const total = Object.values(countEntities(configuration)).reduce((sum, count) => sum + count, 0);
    const ids = Array.from({ length: total }, (_, number) => first + 7 * number);
    const marked = marks.flatMap((mark, number) =>
      mark === null ? [] : [[ids[number] ?? -1, mark] as const],
    );
    return { configuration, ids, marks: new Map(marked) };
  });

describe('the tree', () => {
  it('is what nesting every entity by hand gives', () => {
    fc.assert(
      fc.property(anyMenu, (menu) => {
        const tree: unknown = JSON.parse(assemble(treeFragments(menu)).toString());
        expect(tree).toEqual(naiveTree(menu.configuration, menu.ids, menu.marks));
      }),
    );
  });

  it('has the size computed before it is built, and the same bytes whole or streamed', () => {
    fc.assert(
      fc.property(anyMenu, (menu) => {
        const fragments = treeFragments(menu);
        const whole = assemble(fragments);
        expect(valueAt(measure(fragments).bytes, rootOf(fragments))).toBe(whole.length);
        expect(Buffer.concat([...streamFragments(fragments)]).equals(whole)).toBe(true);
      }),
    );
  });

  it('has the same bytes when it is filled in after it was published, and at least the size told before', () => {
    fc.assert(
      fc.property(anyMenu, (menu) => {
        const { configuration, ids, marks } = menu;
        const posted = {
          ...statedStock(configuration),
          counts: countEntities(configuration),
          standsFor: standsForOf(configuration),
        };
        const draft = draftTree(configuration);
        const filled = assemble(fillDraft(draft, ids, stockOfPosted(posted, ids, marks)));
        expect(filled.equals(assemble(treeFragments(menu)))).toBe(true);
        const { minTreeBytes, treeEntities } = leastTreeSize(draft, stockOfPosted(posted));
        const unmarked = assemble(fillDraft(draft, [], stockOfPosted(posted)));
        expect(minTreeBytes).toBe(unmarked.length);
        expect(treeEntities).toBe(unmarked.toString().split('{"id":').length - 1);
      }),
    );
  });

  it('streams a fragment that is longer than a chunk', () => {
    const name = { translations: { en: 'x'.repeat(300_000) } };
    const menus = [{ external_id: 'm', availability: [], name }];
    const fragments = treeFragments({ configuration: { items: [], menus }, ids: [1], marks: new Map() });
    expect(Buffer.concat([...streamFragments(fragments)]).equals(assemble(fragments))).toBe(true);
  });

  it('is measured without being built, however far it would expand', () => {
    const fragments = treeFragments({
      configuration: expandingWithoutBound(),
      ids: [],
      marks: new Map(),
    });
    expect(valueAt(measure(fragments).bytes, rootOf(fragments))).toBeGreaterThan(1e15);
  });
});

describe('the flat form', () => {
  it('is another view of the tree', () => {
    fc.assert(
      fc.property(anyMenu, (menu) => {
        const flat = JSON.parse(flatText(menu)) as MenuConfiguration;
        const ids = Object.values(flat).flatMap((list) =>
          list.map((entity) => (entity as { id?: number }).id),
        );
        expect(ids).toEqual(menu.ids);
        const prepTypes = [...menu.marks].map(
          ([id, { prepType }]) => [id, prepType === undefined ? {} : { prepType }] as const,
        );
        const tree: unknown = JSON.parse(assemble(treeFragments(menu)).toString());
        expect(naiveTree(flat, menu.ids, new Map(prepTypes))).toEqual(tree);
      }),
    );
  });

  it('always carries five lists, reference lists and in_stock', () => {
    const name = { translations: {} };
    const items = [{ external_id: 'i', name, price: 1, tax: 0, sell_separately: true }];
    const configuration = { items, categories: [{ external_id: 'c', name }] };
    expect(JSON.parse(flatText({ configuration, ids: [5, 6], marks: new Map() }))).toEqual({
      menus: [],
      categories: [{ id: 5, external_id: 'c', name, item_external_ids: [] }],
      items: [{ id: 6, ...items[0], in_stock: true, modifier_external_ids: [] }],
      modifier_groups: [],
      modifier_items: [],
    });
  });
});

/** Five levels of 1,000 references each: under 100 KB posted, about 10^18 bytes as a tree. */
function expandingWithoutBound(): MenuConfiguration {
  const name = { translations: {} };
  const thousand = (id: string) => Array.from({ length: 1000 }, () => id);
  const quantities = { min_quantity: 0, max_quantity: 1, default_quantity: 0 };
  return {
    menus: Array.from({ length: 200 }, (_, n) => ({
      external_id: `m${n}`,
      availability: [],
      category_external_ids: thousand('c'),
    })),
    categories: [{ external_id: 'c', name, item_external_ids: thousand('i') }],
    items: [
      {
        external_id: 'i',
        name,
        price: 1,
        tax: 0,
        sell_separately: true,
        modifier_external_ids: thousand('g'),
      },
    ],
    modifier_groups: [
      {
        external_id: 'g',
        type: 't',
        name,
        group_max: 0,
        group_min: 0,
        charge_after: 0,
        modifier_item_external_ids: thousand('o'),
      },
    ],
    modifier_items: [{ external_id: 'o', name, price_change: 0, tax_change: 0, ...quantities }],
  };
}
