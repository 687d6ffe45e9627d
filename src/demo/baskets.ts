import { changeOfFreeUnit, countFreeUnits } from '../domain/menu/modifier-groups.js';
import type { OrderRequest } from '../domain/order/shapes.js';
import { choices, type Choices, type Option } from './choices.js';
import type { Dish } from './dish.js';
import { dishesOf, taxOn } from './menu.js';
import type { Random } from './random.js';
import type { DemoStore } from './stores.js';

interface Line {
  readonly external_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  readonly tax: number;
  readonly modifiers: readonly Modifier[];
}

interface Modifier {
  readonly group_external_id: string;
  readonly external_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly price_change: number;
  readonly tax_change: number;
}

/** What somebody orders: one to four dishes with their choices, and what it comes to. */
export function basketOf(store: DemoStore, random: Random): Pick<OrderRequest, 'items' | 'price' | 'tax'> {
  const dishes = dishesOf(store);
  const lines = Array.from({ length: 1 + random.below(4) }, () => toLine(store, random, random.pick(dishes)));
  const sum = (of: (line: Line) => number) =>
    lines.reduce((total, line) => total + line.quantity * of(line), 0);
  return {
    items: lines.map((line) => ({ ...line })),
    price: sum((line) => line.price + total(line.modifiers, 'price_change')),
    tax: sum((line) => line.tax + total(line.modifiers, 'tax_change')),
  };
}

function toLine(store: DemoStore, random: Random, dish: Dish): Line {
  const price = store.price(dish.cents);
  const groups = choices.filter(({ id }) => dish.groups?.includes(id) === true);
  return {
    external_id: dish.id,
    name: dish.name[store.languages[0]],
    quantity: random.chance(0.25) ? 2 : 1,
    price,
    tax: taxOn(store, price),
    modifiers: groups.flatMap((group) => choose(store, random, group)),
  };
}

function choose(store: DemoStore, random: Random, group: Choices): Modifier[] {
  if (group.least === 0 && random.chance(0.6)) return [];
  const option: Option = random.pick(group.options);
  const price = store.price(option.cents);
  const change = countFreeUnits(group.free, 0, 1) > 0 ? changeOfFreeUnit(price) : price;
  return [
    {
      group_external_id: group.id,
      external_id: option.id,
      name: option.name[store.languages[0]],
      quantity: 1,
      price_change: change,
      tax_change: taxOn(store, change),
    },
  ];
}

function total(modifiers: readonly Modifier[], field: 'price_change' | 'tax_change'): number {
  return modifiers.reduce((sum, modifier) => sum + modifier.quantity * modifier[field], 0);
}
