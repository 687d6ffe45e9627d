import { describe, expect, it } from 'vitest';
import type { Item } from '../../guest/src/api.js';
import {
  choose,
  defaultsOf,
  findProblems,
  groupsBehind,
  mostOf,
  priceOf,
  toLine,
  withChosen,
  type Choices,
} from '../../guest/src/choices.js';
import { createRandom } from '../../src/demo/orders.js';
import { judge, type Shop } from '../quotes/model.js';
import { randomShop } from '../quotes/random-shop.js';

type Random = ReturnType<typeof createRandom>;

/** The items of a shop as the guests' menu shows them. */
function itemsOf({ menu, soldOutItems, soldOutModifiers }: Shop): ReadonlyMap<string, Item> {
  const once = (ids: readonly string[] = []) => [...new Set(ids)];
  const modifiers = new Map(menu.modifier_items?.map((one) => [one.external_id, one]));
  const groups = new Map(menu.modifier_groups?.map((one) => [one.external_id, one]));
  const isIn = (externalId: string, behind: string | undefined) =>
    !soldOutModifiers.has(externalId) && (behind === undefined || !soldOutItems.has(behind));
  return new Map(
    menu.items.map((item) => [
      item.external_id,
      {
        ...item,
        in_stock: !soldOutItems.has(item.external_id),
        modifier_groups: once(item.modifier_external_ids).flatMap((groupId) => {
          const group = groups.get(groupId);
          if (group === undefined) return [];
          const modifier_items = once(group.modifier_item_external_ids).flatMap((externalId) => {
            const modifier = modifiers.get(externalId);
            if (modifier === undefined) return [];
            return { ...modifier, in_stock: isIn(externalId, modifier.menu_item_external_id) };
          });
          return { ...group, modifier_items };
        }),
      },
    ]),
  );
}

/** What a guest does with the fields of a dish: some taps, some of them in the choices of a choice. */
function tapAround(item: Item, items: ReadonlyMap<string, Item>, random: Random): Choices {
  const findItem = (externalId: string) => items.get(externalId);
  const tap = (groups: Item['modifier_groups'], before: Choices, depth: number): Choices => {
    if (groups.length === 0) return before;
    const group = random.pick([...groups]);
    if (group.modifier_items.length === 0) return before;
    const modifier = random.pick([...group.modifier_items]);
    const chosen = before[group.external_id]?.[modifier.external_id];
    const behind = groupsBehind(modifier, depth, findItem);
    if (chosen !== undefined && behind.length > 0 && random.chance(0.6))
      return withChosen(before, group, modifier, {
        ...chosen,
        choices: tap(behind, chosen.choices, depth + 1),
      });
    const wanted = random.below(Math.min(mostOf(before, group, modifier), 4) + 1);
    // Fewer than the least cannot be tapped.
    const quantity = wanted < modifier.min_quantity ? 0 : wanted;
    return choose(before, group, modifier, quantity, { depth, findItem });
  };
  let choices = defaultsOf(item.modifier_groups, { depth: 1, findItem });
  for (let taps = random.below(8); taps > 0; taps -= 1) choices = tap(item.modifier_groups, choices, 1);
  return choices;
}

/** What the page leaves to the quote: the clock, sums beyond all bounds, and a choice that two groups offer. */
const LEFT_TO_THE_QUOTE = new Set([
  'outside_hours',
  'not_sold_separately',
  'negative_line',
  'total_too_large',
]);

describe('the choices of a guest', () => {
  it('cost what the quote says, and are sound exactly when the quote takes them', () => {
    const random = createRandom(20_261_117);
    let [priced, refused] = [0, 0];
    for (let round = 0; round < 500; round += 1) {
      const shop = randomShop(random);
      const items = itemsOf(shop);
      const findItem = (externalId: string) => items.get(externalId);
      for (const item of items.values()) {
        const choices = tapAround(item, items, random);
        const quantity = 1 + random.below(3);
        const line = toLine(item, quantity, choices, '', findItem);
        const verdict = judge(shop, { items: [line] });
        const isSound = item.in_stock && findProblems(item.modifier_groups, choices, findItem).length === 0;
        if ('errors' in verdict) {
          const types = verdict.errors.map(([type]) => type);
          const isShared = types.includes('modifier_quantity');
          if (isSound && !isShared) expect(types.filter((type) => !LEFT_TO_THE_QUOTE.has(type))).toEqual([]);
          refused += isSound ? 0 : 1;
          continue;
        }
        expect([isSound, line]).toEqual([true, line]);
        const unit = priceOf(item, choices, findItem);
        if (!Number.isSafeInteger(unit.price * quantity) || !Number.isSafeInteger(unit.tax * quantity))
          continue;
        expect(verdict.quote).toMatchObject({ price: unit.price * quantity, tax: unit.tax * quantity });
        priced += 1;
      }
    }
    expect(priced).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  it('start with the defaults, as far as they are in stock and fit', () => {
    const modifier = (external_id: string, default_quantity: number, in_stock = true) => ({
      external_id,
      name: { translations: {} },
      price_change: 0,
      tax_change: 0,
      min_quantity: 0,
      max_quantity: 3,
      default_quantity,
      in_stock,
    });
    const group = {
      external_id: 'sauces',
      name: { translations: {} },
      group_min: 0,
      group_max: 3,
      charge_after: 0,
      modifier_items: [
        modifier('out', 1, false),
        modifier('two', 2),
        modifier('more', 3),
        modifier('constructor', 0),
      ],
    };
    expect(defaultsOf([group], { depth: 1, findItem: () => undefined })).toEqual({
      sauces: { two: { quantity: 2, choices: {} }, more: { quantity: 1, choices: {} } },
    });
  });
});
