import { describe, expect, it } from 'vitest';
import {
  changeOfFreeUnit,
  countFreeUnits,
  lowestChanges,
  mostUnits,
} from '../../src/menus/modifier-groups.js';
import type { Modifier, ModifierGroup } from '../../src/menus/shapes.js';

const text = (en: string) => ({ translations: { en } });

function modifier(external_id: string, change: number, more: Partial<Modifier> = {}): Modifier {
  const quantities = { min_quantity: 0, max_quantity: 1, default_quantity: 0 };
  return {
    external_id,
    name: text(external_id),
    price_change: change,
    tax_change: change / 10,
    ...quantities,
    ...more,
  };
}

function lowestPrice(
  counts: Pick<ModifierGroup, 'group_min' | 'group_max' | 'charge_after'>,
  offered: readonly Modifier[],
): number {
  const ids = offered.map(({ external_id }) => external_id);
  const group = {
    external_id: 'group',
    type: 'CHOICE',
    name: text('Group'),
    ...counts,
    modifier_item_external_ids: ids,
  };
  return lowestChanges(group, new Map(offered.map((one) => [one.external_id, one]))).price;
}

describe('the units of a modifier group that are free', () => {
  it('are the first charge_after, in the order in which they are selected', () => {
    const entries = [2, 3, 1, 4];
    const freeOf = (chargeAfter: number) => {
      let selected = 0;
      return entries.map((quantity) => {
        const free = countFreeUnits(chargeAfter, selected, quantity);
        selected += quantity;
        return free;
      });
    };
    expect(freeOf(0)).toEqual([0, 0, 0, 0]);
    expect(freeOf(1)).toEqual([1, 0, 0, 0]);
    expect(freeOf(4)).toEqual([2, 2, 0, 0]);
    expect(freeOf(7)).toEqual([2, 3, 1, 1]);
    expect(freeOf(99)).toEqual(entries);
  });

  it('waive what they would add and keep what they take off', () => {
    expect([250, 0, -100].map(changeOfFreeUnit)).toEqual([0, 0, -100]);
  });
});

describe('the units of a modifier group that can be selected', () => {
  it('are at most group_max, of which 0 is no limit', () => {
    expect([1, 7, 0].map(mostUnits)).toEqual([1, 7, Infinity]);
  });
});

describe('the least that a modifier group can change', () => {
  const menu = [modifier('dear', 300), modifier('cheap', 100), modifier('middle', 200)];

  it('is nothing where as many are free as must be selected', () => {
    expect(lowestPrice({ group_min: 2, group_max: 0, charge_after: 2 }, menu)).toBe(0);
  });

  it('is the cheapest of those that must be selected and are not free', () => {
    expect(lowestPrice({ group_min: 2, group_max: 0, charge_after: 1 }, menu)).toBe(100);
    expect(lowestPrice({ group_min: 3, group_max: 0, charge_after: 1 }, menu)).toBe(300);
  });

  it('takes off as much as group_max allows, free or not', () => {
    const lower = [...menu, modifier('less', -50, { max_quantity: 5 })];
    expect(lowestPrice({ group_min: 0, group_max: 3, charge_after: 3 }, lower)).toBe(-150);
    expect(lowestPrice({ group_min: 0, group_max: 3, charge_after: 0 }, lower)).toBe(-150);
  });
});
