import { isMap, memberOf } from '../support/maps.js';

/**
 * The one reader of an order's lines. An order keeps its lines as whoever placed it wrote them, so each may have any form. What
 * cannot be read:
 * - a quantity is a whole number from 1 on, or its digits as text; anything else is 1, and past a million it is a million;
 * - an amount is a whole number; anything else is not stated, and counts as 0;
 * - an external_id, a name or a comment is text with something in it; anything else is missing;
 * - a list of modifiers is a list; anything else is empty;
 * - a line or modifier that is no object is one of something unnamed.
 * No line is left out, so that what is counted and what is shown agree.
 */
export interface Line extends Entry {
  /** Of one, without its modifiers; undefined where it is not stated. */
  readonly price: number | undefined;
  readonly tax: number | undefined;
  /** At any depth: each is followed by its own modifiers. */
  readonly modifiers: readonly LineModifier[];
  readonly comments: string | undefined;
}

export interface LineModifier extends Entry {
  /** 0 for a modifier of the item, 1 for a modifier of that modifier, and so on. */
  readonly depth: number;
  /** How many there are in one item. */
  readonly units: number;
  /** What all of them add to one item. A free unit waives what would be charged for it. */
  readonly extraPrice: number;
  readonly extraTax: number;
}

interface Entry {
  readonly externalId: string | undefined;
  readonly quantity: number;
  readonly sent: unknown;
}

export const MOST_UNITS = 1_000_000;

export function readLines(items: readonly unknown[]): Line[] {
  return items.map((sent) => {
    return {
      externalId: textOf(sent, 'external_id'),
      quantity: quantityOf(memberOf(sent, 'quantity')),
      sent,
      price: amountOf(sent, 'price'),
      tax: amountOf(sent, 'tax'),
      modifiers: readModifiers(sent),
      comments: textOf(sent, 'comments'),
    };
  });
}

/** Not by recursion: a body can nest further than the stack is deep. */
function readModifiers(item: unknown): readonly LineModifier[] {
  const first = listOf(item);
  if (first.length === 0) return NONE;
  const found: LineModifier[] = [];
  const open = [{ list: first, next: 0, units: 1 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    if (level.next === level.list.length) {
      open.pop();
      continue;
    }
    const sent = level.list[level.next];
    level.next += 1;
    const quantity = quantityOf(memberOf(sent, 'quantity'));
    const units = Math.min(level.units * quantity, MOST_UNITS);
    const free = Math.min(Math.max(amountOf(sent, 'free_quantity') ?? 0, 0), quantity) * level.units;
    const charged = Math.max(units - free, 0);
    found.push({
      externalId: textOf(sent, 'external_id'),
      quantity,
      sent,
      depth: open.length - 1,
      units,
      extraPrice: extraOf(amountOf(sent, 'price_change') ?? 0, units, charged),
      extraTax: extraOf(amountOf(sent, 'tax_change') ?? 0, units, charged),
    });
    const list = listOf(sent);
    if (list.length > 0) open.push({ list, next: 0, units });
  }
  return found;
}

const NONE: readonly LineModifier[] = [];

/** What a line comes to with its modifiers, times its quantity; where the item states no price, its modifiers alone. */
export function priceOf({ quantity, price, modifiers }: Line): number {
  return bounded(quantity * modifiers.reduce((sum, { extraPrice }) => sum + extraPrice, price ?? 0));
}

export function taxOf({ quantity, tax, modifiers }: Line): number {
  return bounded(quantity * modifiers.reduce((sum, { extraTax }) => sum + extraTax, tax ?? 0));
}

export function totalsOf(items: readonly unknown[]): { readonly price: number; readonly tax: number } {
  const lines = readLines(items);
  const sum = (amountOfLine: (line: Line) => number) =>
    bounded(lines.reduce((total, line) => total + amountOfLine(line), 0));
  return { price: sum(priceOf), tax: sum(taxOf) };
}

/** How many items the kitchen makes. */
export function countItems(lines: readonly Line[]): number {
  return Math.min(
    lines.reduce((sum, { quantity }) => sum + quantity, 0),
    MOST_UNITS,
  );
}

/** As people are shown it: a quantity that cannot be read, as it was sent. */
export function shownQuantity({ quantity, sent }: Entry): string {
  const stated = memberOf(sent, 'quantity');
  return typeof stated === 'number' || isText(stated) ? String(stated) : String(quantity);
}

/** The name, where it has several in this language or else the first, else the external_id; undefined where nothing names it. */
export function shownName({ externalId, sent }: Entry, language = 'en'): string | undefined {
  if (isText(sent)) return sent;
  const name = memberOf(sent, 'name');
  if (isText(name)) return name;
  const translations = memberOf(name, 'translations') ?? name;
  const texts = isMap(translations) ? [translations[language], ...Object.values(translations)] : [];
  return texts.find(isText) ?? externalId;
}

/** The lines that are not among the others, with how many more of each there are. */
export function linesBeyond(lines: readonly Line[], others: readonly Line[]): Line[] {
  const rest = new Map<string, number>();
  for (const line of others) rest.set(contentOf(line), (rest.get(contentOf(line)) ?? 0) + line.quantity);
  return lines.flatMap((line) => {
    const content = contentOf(line);
    const had = Math.min(rest.get(content) ?? 0, line.quantity);
    rest.set(content, (rest.get(content) ?? 0) - had);
    const quantity = line.quantity - had;
    return quantity === 0 ? [] : [{ ...line, quantity, sent: { ...(line.sent as object), quantity } }];
  });
}

/** What the kitchen makes of a line, however many of it. */
function contentOf(line: Line): string {
  const modifiers = line.modifiers.map((one) => [one.externalId ?? shownName(one), one.depth, one.quantity]);
  return JSON.stringify([line.externalId ?? shownName(line), line.comments, modifiers]);
}

function extraOf(change: number, units: number, charged: number): number {
  return bounded(change * (change > 0 ? charged : units));
}

function textOf(part: unknown, name: string): string | undefined {
  const value = memberOf(part, name);
  return isText(value) ? value : undefined;
}

const DIGITS = /^\s*\d{1,15}\s*$/;

function quantityOf(stated: unknown): number {
  const quantity = typeof stated === 'string' && DIGITS.test(stated) ? Number(stated) : stated;
  return typeof quantity === 'number' && Number.isSafeInteger(quantity) && quantity > 0
    ? Math.min(quantity, MOST_UNITS)
    : 1;
}

function amountOf(part: unknown, name: string): number | undefined {
  const value = memberOf(part, name);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function listOf(part: unknown): readonly unknown[] {
  const modifiers = memberOf(part, 'modifiers');
  return Array.isArray(modifiers) ? modifiers : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Sums stay whole numbers that JSON and the database keep. */
export function bounded(value: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
}
