import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  applyEdits,
  isSame,
  keepMine,
  rebase,
  takeTheirs,
  toMenu,
  toMenuChanges,
  withEdit,
  withoutEntity,
  withoutSent,
  type Edit,
  type Menu,
} from '../../console/src/pages/menu/edit/draft.js';
import { KINDS } from '../../src/menus/kinds.js';
import type { MenuConfiguration } from '../../src/menus/shapes.js';
import { item, text } from '../harness/menu.js';
import { anyConfiguration } from '../menus/arbitrary-menu.js';

const menuOf = (configuration: MenuConfiguration) => toMenu(configuration);

/** The same ids in all menus, so that two of them share entities. */
const anyMenu = anyConfiguration.map((configuration) => {
  const lists = Object.entries(configuration).map(([kind, list]) => [
    kind,
    list.map((entity, i) => ({ ...entity, external_id: `${kind}-${i}` })),
  ]);
  return menuOf(Object.fromEntries(lists) as MenuConfiguration);
});

function editsBetween(before: Menu, after: Menu): readonly Edit[] {
  let edits: readonly Edit[] = [];
  for (const kind of KINDS)
    for (const id of new Set([...before[kind].keys(), ...after[kind].keys()]))
      edits = withEdit(before, edits, kind, id, before[kind].get(id), after[kind].get(id));
  return edits;
}

/** A text in no language is as good as none. */
const plain = (menu: Menu) =>
  KINDS.flatMap((kind) =>
    [...menu[kind]].map(([id, entity]) => {
      const stated = Object.entries(entity).filter(
        ([, value]) => !isSame(value, { translations: {} }) && value !== null,
      );
      return [`${kind} ${id}`, Object.fromEntries(stated)] as const;
    }),
  ).sort(([one], [other]) => (one < other ? -1 : 1));

test('edits turn one menu into any other, and held against the same menu they stay', () => {
  fc.assert(
    fc.property(anyMenu, anyMenu, (before, after) => {
      const edits = editsBetween(before, after);
      expect(plain(applyEdits(before, edits))).toEqual(plain(after));
      expect(rebase(before, edits)).toEqual({ edits, conflicts: [] });
      // Once published, nothing is left of them.
      expect(rebase(after, edits)).toEqual({ edits: [], conflicts: [] });
      expect(toMenuChanges(edits).length).toBe(edits.length);
    }),
  );
});

const tea = {
  items: [item('tea', { price: 200, tax: 20, name: { translations: { en: 'Tea', es: 'Té' } } })],
};
const teaIn = (menu: Menu) => menu.item.get('tea');

test('what two people change in one item meets only where it is the same field or language', () => {
  const before = menuOf(tea);
  const wanted = { ...tea.items[0], external_id: 'tea', price: 250, name: text('Mint tea') };
  const edits = withEdit(before, [], 'item', 'tea', teaIn(before), wanted);
  const theirs = menuOf({
    items: [item('tea', { price: 300, tax: 20, name: { translations: { en: 'Tea', es: 'Infusión' } } })],
  });
  const held = rebase(theirs, edits);
  expect(held.conflicts.map(({ field, mine, theirs }) => [field, mine, theirs])).toEqual([
    ['name:es', null, 'Infusión'],
    ['price', 250, 300],
  ]);
  const kept = held.conflicts.reduce<readonly Edit[]>(takeTheirs, held.edits);
  expect(applyEdits(theirs, kept).item.get('tea')).toMatchObject({
    price: 300,
    name: { translations: { en: 'Mint tea', es: 'Infusión' } },
  });
  expect(toMenuChanges(kept)).toEqual([
    { kind: 'item', external_id: 'tea', set: { name: { translations: { en: 'Mint tea' } } } },
  ]);
});

test('a price and its tax are taken together', () => {
  const menu = (price: number, tax: number) => menuOf({ items: [item('tea', { price, tax })] });
  const before = menu(200, 20);
  const wanted = { ...item('tea', { price: 250, tax: 25 }), external_id: 'tea' };
  const edits = withEdit(before, [], 'item', 'tea', teaIn(before), wanted);
  const theirs = menu(300, 20);
  const held = rebase(theirs, edits);
  expect(held.conflicts).toMatchObject([
    { field: 'price', mine: 250, theirs: 300, tax: { mine: 25, theirs: 20 } },
  ]);
  expect(held.conflicts.reduce<readonly Edit[]>(takeTheirs, held.edits)).toEqual([]);
  const settled = held.conflicts.reduce<readonly Edit[]>(keepMine, held.edits);
  expect(rebase(theirs, settled)).toMatchObject({
    edits: [{ after: { price: 250, tax: 25 } }],
    conflicts: [],
  });
});

test('what is removed leaves the lists that name it', () => {
  const before = menuOf({
    ...tea,
    categories: [{ external_id: 'hot', name: text('Hot'), item_external_ids: ['tea', 'tea'] }],
    modifier_items: [
      {
        external_id: 'with-tea',
        name: text('With tea'),
        price_change: 0,
        tax_change: 0,
        min_quantity: 0,
        max_quantity: 1,
        default_quantity: 0,
        menu_item_external_id: 'tea',
      },
    ],
  });
  const edits = withoutEntity(before, [], 'item', 'tea', teaIn(before));
  const after = applyEdits(before, edits);
  expect(after.item.size).toBe(0);
  expect(after.category.get('hot')?.['item_external_ids']).toEqual([]);
  expect(after.modifier_item.get('with-tea')).not.toHaveProperty('menu_item_external_id');
});

test('an edit of what someone else has removed is asked about, and so is a removal of what has changed', () => {
  const before = menuOf(tea);
  const wanted = { ...tea.items[0], external_id: 'tea', price: 1 };
  const edits = withEdit(before, [], 'item', 'tea', teaIn(before), wanted);
  expect(rebase(menuOf({ items: [] }), edits).conflicts).toMatchObject([{ theirs: null }]);
  const removal = withEdit(before, [], 'item', 'tea', teaIn(before), undefined);
  const changed = menuOf({ items: [item('tea', { price: 5 })] });
  const held = rebase(changed, removal);
  expect(held.conflicts).toMatchObject([{ mine: null }]);
  expect(applyEdits(changed, held.edits).item.size).toBe(0);
});

describe('a conflict stays until it is settled', () => {
  const published = (price: number) => menuOf({ items: [item('tea', { price, tax: 20 })] });
  const mine = { ...item('tea', { price: 250, tax: 20 }), external_id: 'tea' };
  const none = menuOf({ items: [] });
  const change = withEdit(published(200), [], 'item', 'tea', teaIn(published(200)), mine);
  const removal = withEdit(published(200), [], 'item', 'tea', teaIn(published(200)), undefined);
  const addition = withEdit(none, [], 'item', 'tea', undefined, mine);

  /** What is left of the edits over these publications, each after the page was loaded again. */
  const over = (edits: readonly Edit[], ...menus: readonly Menu[]) =>
    menus.reduce<ReturnType<typeof rebase>>(
      (held, menu) => rebase(menu, JSON.parse(JSON.stringify(held.edits)) as readonly Edit[]),
      { edits, conflicts: [] },
    );

  it.each([
    ['a change', change],
    ['a removal', removal],
    ['an addition', addition],
  ])('%s of what someone else has changed', (_, edits) => {
    const theirs = published(300);
    const held = over(edits, published(210), theirs, theirs);
    const [conflict] = held.conflicts;
    expect(held.conflicts.length).toBe(1);
    expect(conflict).toMatchObject({ theirs: conflict?.field === undefined ? { price: 300 } : 300 });
    const settled = held.conflicts.reduce(keepMine, held.edits);
    expect(rebase(theirs, settled).conflicts).toEqual([]);
    expect(toMenuChanges(rebase(theirs, settled).edits)).toMatchObject([
      edits === removal ? { remove: true } : { set: { price: 250 } },
    ]);
    expect(rebase(published(310), settled).conflicts.length).toBe(1);
    expect(rebase(theirs, held.conflicts.reduce(takeTheirs, held.edits)).edits).toEqual([]);
  });

  it('a change of what someone else has removed', () => {
    const held = over(change, none, none);
    expect(held.conflicts).toMatchObject([{ theirs: null }]);
    expect(held.conflicts.reduce(takeTheirs, held.edits)).toEqual([]);
  });
});

describe('a form that was open while someone else published', () => {
  const opened = menuOf(tea);
  const seen = { ...tea.items[0], external_id: 'tea' };
  const theirs = menuOf({ items: [item('tea', { ...tea.items[0], price: 300, prep_time: 7 })] });

  it('leaves what they changed, and asks about what both changed', () => {
    const named = withEdit(theirs, [], 'item', 'tea', seen, { ...seen, allergens: 'none' });
    expect(rebase(theirs, named).conflicts).toEqual([]);
    expect(toMenuChanges(named)).toEqual([{ kind: 'item', external_id: 'tea', set: { allergens: 'none' } }]);
    const priced = withEdit(theirs, named, 'item', 'tea', seen, { ...seen, price: 250 });
    expect(rebase(theirs, priced).conflicts).toMatchObject([{ field: 'price', mine: 250, theirs: 300 }]);
    const gone = withEdit(theirs, [], 'item', 'tea', seen, undefined);
    expect(rebase(theirs, gone).conflicts).toMatchObject([{ mine: null, theirs: { price: 300 } }]);
  });

  it('settles no conflict with a change of another field', () => {
    const edits = withEdit(opened, [], 'item', 'tea', seen, { ...seen, price: 250 });
    const shown = applyEdits(theirs, edits).item.get('tea');
    const more = withEdit(theirs, edits, 'item', 'tea', shown, { ...seen, ...shown, allergens: 'none' });
    expect(rebase(theirs, more).conflicts).toMatchObject([{ field: 'price', mine: 250, theirs: 300 }]);
    expect(toMenuChanges(more)).toMatchObject([{ set: { price: 250, allergens: 'none' } }]);
  });

  it('takes back a change that is as published again', () => {
    const edits = withEdit(opened, [], 'item', 'tea', seen, { ...seen, price: 250 });
    expect(withEdit(opened, edits, 'item', 'tea', { ...seen, price: 250 }, seen)).toEqual([]);
  });
});

test('publishing leaves what was changed after the draft was sent, on top of it', () => {
  const before = menuOf({ items: [item('tea'), item('cake'), item('pie')] });
  const priced = (edits: readonly Edit[], id: string, price: number) =>
    withEdit(before, edits, 'item', id, before.item.get(id), { ...item(id, { price }), external_id: id });
  const sent = priced(priced([], 'tea', 250), 'cake', 500);
  const now = applyEdits(before, sent);
  expect(withoutSent(sent, sent)).toEqual([]);
  const left = withoutSent(priced(priced(sent, 'cake', 600), 'pie', 700), sent);
  expect(rebase(now, left).conflicts).toEqual([]);
  expect(toMenuChanges(left)).toEqual([
    { kind: 'item', external_id: 'cake', set: { price: 600 } },
    { kind: 'item', external_id: 'pie', set: { price: 700 } },
  ]);
});
