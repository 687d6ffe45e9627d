import { computed } from '@preact/signals';
import type { Item, Line, Text, Total } from './api.js';
import { findProblems, priceOf, toLine, type Choices, type Problem } from './choices.js';
import { keptSignal } from './kept.js';
import { code, findItem } from './place.js';
import { randomId } from './random-id.js';

export const MOST_LINES = 50;
export const MOST_UNITS = 99;

/** A line as the guest has put it together; everything else about it comes from the menu of the moment. */
export interface BasketLine {
  readonly id: string;
  readonly item: string;
  /** For when the menu has it no longer. */
  readonly name: Text;
  readonly quantity: number;
  readonly choices: Choices;
  readonly note: string;
  /** What one cost, with tax, when the guest last looked at it. */
  readonly seen: number;
}

const EMPTY: readonly BasketLine[] = [];
export const lines = keptSignal(`comanda-basket-${code}`, EMPTY);

export interface ShownLine {
  readonly line: BasketLine;
  readonly item: Item | undefined;
  readonly problems: readonly Problem[];
  /** Of one. */
  readonly unit: Total;
}

/** The lines against the menu as it is now. */
export const shownLines = computed((): readonly ShownLine[] =>
  lines.value.map((line) => {
    const item = findItem(line.item);
    if (item === undefined) return { line, item, problems: [{ type: 'gone' }], unit: { price: 0, tax: 0 } };
    const soldOut: Problem[] = item.in_stock ? [] : [{ type: 'sold_out' }];
    const problems = [...soldOut, ...findProblems(item.modifier_groups, line.choices, findItem)];
    return { line, item, problems, unit: priceOf(item, line.choices, findItem) };
  }),
);

export const count = computed(() => lines.value.reduce((sum, { quantity }) => sum + quantity, 0));

export const total = computed((): Total => {
  const sum = (amount: 'price' | 'tax') =>
    shownLines.value.reduce((so, { unit, line }) => so + unit[amount] * line.quantity, 0);
  return { price: sum('price'), tax: sum('tax') };
});

export const isSound = computed(() => shownLines.value.every(({ problems }) => problems.length === 0));

/** As they are sent. */
export const orderLines = computed((): readonly Line[] =>
  shownLines.value.flatMap(({ line, item }) =>
    item === undefined ? [] : toLine(item, line.quantity, line.choices, line.note, findItem),
  ),
);

export function gross({ price, tax }: Total): number {
  return price + tax;
}

/** Puts a line in its place; the same thing twice is one line. */
export function keepLine(line: BasketLine): void {
  const others = lines.value.filter(({ id }) => id !== line.id);
  const twin = others.find((other) => signature(other) === signature(line));
  if (twin !== undefined) {
    const quantity = Math.min(MOST_UNITS, twin.quantity + line.quantity);
    lines.value = others.map((other) => (other === twin ? { ...line, id: twin.id, quantity } : other));
  } else if (others.length === lines.value.length) lines.value = [...lines.value, line];
  else lines.value = lines.value.map((other) => (other.id === line.id ? line : other));
}

export function setQuantity(id: string, quantity: number): void {
  const changed = lines.value.flatMap((line) =>
    line.id !== id ? line : quantity === 0 ? [] : { ...line, quantity },
  );
  lines.value = changed.length === 0 ? EMPTY : changed;
}

/** Takes out what was ordered. What the guest has added or changed since then stays. */
export function takeSent(sent: readonly BasketLine[]): void {
  const kept = lines.value.flatMap((line) => {
    const before = sent.find(({ id }) => id === line.id);
    if (before === undefined || signature(before) !== signature(line)) return line;
    const quantity = line.quantity - before.quantity;
    // With an id of its own, another tab that hears of the same order does not take it out too.
    return quantity > 0 ? { ...line, id: randomId(), quantity } : [];
  });
  lines.value = kept.length === 0 ? EMPTY : kept;
}

function signature({ item, choices, note }: BasketLine): string {
  return JSON.stringify([item, choices, note]);
}
