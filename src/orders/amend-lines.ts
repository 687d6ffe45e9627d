import type { ZonedMoment } from '../calendar/open-hours.js';
import type { PriceList } from '../menus/price-list.js';
import { quoteOrder } from '../quotes/quote-order.js';
import { MOST_LINES, Quantity } from '../quotes/shapes.js';
import type { ErrorDetail, ErrorList } from '../support/error-details.js';
import { memberOf } from '../support/maps.js';
import { compileShape } from '../support/shape/compile-shape.js';
import { Type } from '../support/shape/type.js';
import { itemsText } from './intake/new-order.js';
import { portionsOf, type CountedItems } from './intake/portions.js';
import type { OrderState } from './json.sql.js';
import { priceOf, readLines, taxOf } from './lines.js';

/** What a change of the lines is checked with: the menu and how much is left, as of now. */
export interface MenuNow {
  readonly list: PriceList;
  /** Also with those that the menu has no more: what an order has of them it can still give back. */
  readonly counted: CountedItems;
  readonly moment: ZonedMoment;
}

type Line = Record<string, unknown>;
type ReadLines = ReturnType<typeof readLines>;
export type Amounts = readonly [price: number, tax: number];

export function totalsOf({ lineTotals, items }: OrderState): Amounts[] {
  if (lineTotals !== undefined) return JSON.parse(lineTotals) as Amounts[];
  return readLines(JSON.parse(items) as unknown[]).map((line) => [priceOf(line), taxOf(line)]);
}

/** Of an order that is checked against the menu, whether its units are new or not. */
const checkAllLines = compileShape(
  Type.Object({
    items: Type.Array(Type.Object({ quantity: Quantity() }), { minItems: 1, maxItems: MOST_LINES }),
  }),
);
/** The lines as they are kept, and what each comes to. Units that are new in a checked order are checked and priced by the menu. */
export function amendLines(
  state: OrderState,
  kept: readonly Amounts[],
  items: readonly Line[],
  menu: MenuNow | undefined,
  errors: ErrorList,
): { readonly totals: Amounts[]; readonly items: string } {
  const lines = readLines(items);
  if (state.lineTotals === undefined || menu === undefined)
    return { totals: lines.map((line) => [priceOf(line), taxOf(line)]), items: itemsText(items) };
  checkAllLines({ items }, ['body'], errors);
  if (items.length > MOST_LINES) return { totals: [], items: '[]' };
  const former = JSON.parse(state.items) as Line[];
  const known = readLines(former).map(({ quantity }, i) => {
    const [price, tax] = kept[i] ?? [0, 0];
    return { line: former[i], key: keyOf(former[i]), units: quantity, price, tax };
  });
  const added: Line[] = [];
  const places: number[] = [];
  const shown = [...items];
  const totals = lines.map(({ quantity }, i): [number, number] => {
    let [left, price, tax] = [quantity, 0, 0];
    const line = items[i];
    const key = keyOf(line);
    // A quantity that cannot be read is of no line that stays: the check refuses it.
    const isRead = line?.['quantity'] === quantity;
    const same = isRead ? known.filter((one) => one.key === key && statesTheSame(line, one.line)) : [];
    for (const one of same) {
      const units = Math.min(one.units, left);
      if (units === 0) continue;
      // Units of one line may have been added at different prices: each has the same share, in whole amounts.
      const share = (amount: number) =>
        units === one.units ? amount : Math.round((amount * units) / one.units);
      const [ofPrice, ofTax] = [share(one.price), share(one.tax)];
      one.units -= units;
      one.price -= ofPrice;
      one.tax -= ofTax;
      left -= units;
      price += ofPrice;
      tax += ofTax;
    }
    if (left === 0) {
      shown[i] = withNames(line, same[0]?.line);
    } else {
      places.push(i);
      added.push(left === quantity ? (line ?? {}) : { ...line, quantity: left });
    }
    return [price, tax];
  });
  const list = withFreed(menu.list, lines, [former, added].flatMap(readLines));
  const quoted = quoteOrder({ items: added }, list, menu.moment, Date.parse(state.readyBy));
  for (const error of quoted.errors.toArray()) if (!isOfQuantity(error)) errors.add(relocate(error, places));
  quoted.priced?.lines.forEach(({ totalPrice, totalTax }, i) => {
    const total = totals[places[i] ?? -1];
    if (total === undefined) return;
    total[0] += totalPrice;
    total[1] += totalTax;
  });
  return { totals, items: itemsText(shown) };
}

/** The quantity of the whole line has been checked already. */
function isOfQuantity({ loc }: ErrorDetail): boolean {
  return loc.length === 4 && loc[3] === 'quantity';
}

/** With what the order has of counted items and gives up: `before` are its former lines and the added ones. */
function withFreed(list: PriceList, after: ReadLines, before: ReadLines): PriceList {
  const counts = new Map(list.counts);
  const add = (lines: ReadLines, sign: number) => {
    for (const { entity_id: id, units } of portionsOf(lines, list))
      counts.set(id, (counts.get(id) ?? 0) + sign * units);
  };
  add(before, 1);
  add(after, -1);
  return { ...list, counts };
}

/** What an item or a modifier is, with what was chosen for it. Lines with the same key are the same to the menu. */
function keyOf(line: unknown): string {
  const choiceOf = (part: unknown): unknown[] => {
    const modifiers = memberOf(part, 'modifiers') ?? [];
    return [
      memberOf(part, 'external_id'),
      memberOf(part, 'group_external_id'),
      part === line ? undefined : (memberOf(part, 'quantity') ?? 1),
      Array.isArray(modifiers) ? modifiers.map(choiceOf) : { modifiers },
    ];
  };
  return JSON.stringify(choiceOf(line));
}

const AMOUNTS = ['price', 'tax', 'price_change', 'tax_change'] as const;

/** Whether every amount that a line states is that of the former line, which has the same key. */
function statesTheSame(line: unknown, former: unknown): boolean {
  const [ofFormer, modifiers] = [modifiersOf(former), modifiersOf(line)];
  return (
    AMOUNTS.every((amount) => {
      const stated = memberOf(line, amount) ?? undefined;
      return stated === undefined || stated === memberOf(former, amount);
    }) && modifiers.every((modifier, i) => statesTheSame(modifier, ofFormer[i]))
  );
}

const NAMES = ['name', ...AMOUNTS, 'free_quantity'] as const;

/** A line that stays keeps the name and the amounts that it had, where it does not state them again. */
function withNames(line: unknown, former: unknown): Line {
  const named = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = memberOf(former, name);
      return value === undefined || (memberOf(line, name) ?? undefined) !== undefined ? [] : [[name, value]];
    }),
  );
  const [modifiers, ofFormer] = [modifiersOf(line), modifiersOf(former)];
  return {
    ...(line as Line),
    ...named,
    ...(modifiers.length > 0 && { modifiers: modifiers.map((one, i) => withNames(one, ofFormer[i])) }),
  };
}

function modifiersOf(part: unknown): readonly unknown[] {
  const modifiers = memberOf(part, 'modifiers');
  return Array.isArray(modifiers) ? modifiers : [];
}

function relocate(error: ErrorDetail, places: readonly number[]): ErrorDetail {
  const [body = 'body', items, i, ...rest] = error.loc;
  if (items !== 'items' || typeof i !== 'number') return error;
  return { ...error, loc: [body, items, places[i] ?? i, ...rest] };
}
