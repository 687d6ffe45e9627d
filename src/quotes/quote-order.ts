import type { PhotoTexts } from '../menus/photos/photo-texts.js';
import type { Static } from '../support/shape/type.js';
import { ErrorList } from '../support/error-details.js';
import { weekHours } from '../calendar/hours.js';
import { nextClosing, type ZonedMoment } from '../calendar/open-hours.js';
import { memberOf } from '../support/maps.js';
import { compileShape } from '../support/shape/compile-shape.js';
import { addTooLarge, checkItem, checkLine, type PricedLine } from './check-line.js';
import type { SelectedModifier } from './check-modifiers.js';
import type { OrderSize } from '../pace/pace.js';
import type { StatedAmounts } from './amounts.js';
import { addError, ALWAYS_OPEN, checkStated, openingsAt, type Checking } from './checking.js';
import type { PriceList } from '../menus/price-list.js';
import { MOST_LINES, QuoteEnvelope, QuoteLineRequest } from './shapes.js';

export interface PricedOrder {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly lines: readonly PricedLine[];
  readonly price: number;
  readonly tax: number;
  /** JSON text: what was stated beside the lines. */
  readonly amounts: string;
}

/** The price of an order according to the menu, and its errors. */
export interface QuotedOrder {
  /** Undefined if the order cannot be sold. Wrong stated amounts do not prevent pricing. */
  readonly priced: PricedOrder | undefined;
  readonly errors: ErrorList;
}

/** What decides when an order can be ready. */
export interface AskedOrder {
  /** The moment it is priced for, in milliseconds since 1970; undefined where the stated one cannot be read. */
  readonly at: number | undefined;
  /** When it is to be ready, where it says so. */
  readonly readyBy: number | undefined;
  readonly size: OrderSize;
}

/** Reads what can be read of an order before it is checked: its times, and how much of the kitchen its lines take. */
export function readAsked(body: unknown, list: PriceList, now: number): AskedOrder {
  const asked = checkEnvelope(body, ['body'], new ErrorList()) as
    Partial<Static<typeof QuoteEnvelope>> | undefined;
  const items = memberOf(body, 'items');
  const size = { items: 0, prepMinutes: 0, longestMinutes: 0 };
  for (const line of Array.isArray(items) && items.length <= MOST_LINES ? (items as unknown[]) : []) {
    const [externalId, stated] = [memberOf(line, 'external_id'), memberOf(line, 'quantity')];
    const { prepTime } = list.items.get(typeof externalId === 'string' ? externalId : '') ?? { prepTime: 0 };
    const quantity = typeof stated === 'number' && Number.isSafeInteger(stated) && stated > 0 ? stated : 1;
    size.items += quantity;
    size.prepMinutes += quantity * prepTime;
    size.longestMinutes = Math.max(size.longestMinutes, prepTime);
  }
  const readyBy = asked?.ready_by === undefined ? undefined : Date.parse(asked.ready_by);
  return { at: momentOf(body, asked?.at, now), readyBy, size };
}

/** Work that a quote may spend on "did you mean" suggestions; less than a menu check, because quotes are interactive. */
const EFFORT = 300_000;

const checkEnvelope = compileShape(QuoteEnvelope, 'refused');
const checkLineShape = compileShape(QuoteLineRequest);

/**
 * Checks an order in full, its shape and every rule of the menu, and prices it. `body` is as it was sent. `servedAt` is the moment
 * at which its menus must be open: when it is ready.
 */
export function quoteOrder(body: unknown, list: PriceList, now: ZonedMoment, servedAt?: number): QuotedOrder {
  const errors = new ErrorList();
  const asked = checkEnvelope(body, ['body'], errors) as Partial<Static<typeof QuoteEnvelope>> | undefined;
  const at = momentOf(body, asked?.at, now.at);
  const openings = at === undefined ? ALWAYS_OPEN : openingsAt(list, { ...now, at: servedAt ?? at });
  const checking = {
    list,
    openings,
    effort: { left: EFFORT },
    errors,
    stated: { wrong: 0 },
    asked: new Map<number, number>(),
  };
  const lines = checkLines(memberOf(body, 'items'), checking);
  const isSound = () => errors.total === checking.stated.wrong && !errors.isHopeless;
  const totals = isSound() ? sumUp(lines, asked ?? {}, errors) : undefined;
  if (totals === undefined || at === undefined) return { errors, priced: undefined };
  const { price, tax } = totals;
  checkStated(checking, ['body'], 'price', asked?.price, price.expected, price);
  checkStated(checking, ['body'], 'tax', asked?.tax, tax.expected, tax);
  const { charges, discounts, tip } = asked ?? {};
  const amounts = JSON.stringify({ charges, discounts, tip });
  return { errors, priced: { at, lines, price: price.expected, tax: tax.expected, amounts } };
}

/** Until when every line is served, from a moment on at which all are; undefined where that is for weeks. */
export function servedUntil(
  { lines }: PricedOrder,
  list: PriceList,
  moment: ZonedMoment,
): number | undefined {
  const menusOfItems = new Set(lines.flatMap(({ item: { menus } }) => (menus.length === 0 ? [] : [menus])));
  const closings = [...menusOfItems].map((menus) =>
    nextClosing(
      menus.map((menu) => list.hours[menu] ?? weekHours([])),
      moment,
    ),
  );
  const known = closings.filter((closing) => closing !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Undefined where the stated moment cannot be read, which is reported already: no other moment stands in for it. */
function momentOf(body: unknown, read: string | undefined, now: number): number | undefined {
  if (read !== undefined) return Date.parse(read);
  return (memberOf(body, 'at') ?? undefined) === undefined ? now : undefined;
}

/** A list that is none, or too long, and a line that is no object have been reported by the envelope. */
function checkLines(items: unknown, checking: Checking): PricedLine[] {
  const { errors } = checking;
  const priced: PricedLine[] = [];
  if (!Array.isArray(items) || items.length > MOST_LINES) return priced;
  for (const [index, sent] of (items as unknown[]).entries()) {
    if (errors.isHopeless) {
      errors.stopCounting();
      break;
    }
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) continue;
    const before = errors.total;
    const loc = ['body', 'items', index];
    const line = checkLineShape(sent, loc, errors);
    if (errors.total === before) {
      const found = checkLine(line, loc, checking);
      if (found !== undefined) priced.push(found);
      continue;
    }
    // An error elsewhere in the line must not hide that its item is unavailable.
    const externalId: unknown = line.external_id;
    if (typeof externalId === 'string') checkItem(externalId, loc, checking);
  }
  return priced;
}

function sumUp(
  lines: readonly PricedLine[],
  stated: StatedAmounts,
  errors: ErrorList,
): { price: Total; tax: Total } | undefined {
  const price = lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
  const tax = lines.reduce((sum, { totalTax }) => sum + totalTax, 0);
  if (Number.isSafeInteger(price) && Number.isSafeInteger(tax)) return addAmounts(price, tax, stated, errors);
  const what = Number.isSafeInteger(price) ? 'tax' : 'price';
  addTooLarge(errors, ['body', 'items'], `The ${what} of the order`);
  return undefined;
}

/** Price or tax of an order, and what it consists of. The tip is outside both. */
interface Total {
  readonly lines: number;
  readonly charges: number;
  readonly discounts: number;
  readonly expected: number;
}

/** Nothing that is added up is below zero, so a sum is exact as long as it is safe. */
function totalOf(lines: number, stated: StatedAmounts, member: 'price' | 'tax'): Total {
  const sum = (list: 'charges' | 'discounts') =>
    (stated[list] ?? []).reduce((total, entry) => total + entry[member], 0);
  const [charges, discounts] = [sum('charges'), sum('discounts')];
  return { lines, charges, discounts, expected: lines - discounts + charges };
}

/** Adds charges to what the lines come to, and takes discounts off; undefined if that is below zero, or too large. */
export function addAmounts(
  linePrice: number,
  lineTax: number,
  stated: StatedAmounts,
  errors: ErrorList,
): { price: Total; tax: Total } | undefined {
  const totals = { price: totalOf(linePrice, stated, 'price'), tax: totalOf(lineTax, stated, 'tax') };
  const members = ['price', 'tax'] as const;
  const negative = members.find((member) => totals[member].expected < 0);
  if (negative !== undefined) {
    addError(errors, ['body', 'discounts'], 'negative_total', () => ({
      msg: `The ${negative} of the order is below zero: the discounts are more than lines and charges`,
    }));
    return undefined;
  }
  const large = members.find((member) => !Object.values(totals[member]).every(Number.isSafeInteger));
  if (large === undefined) return totals;
  addTooLarge(errors, ['body'], `The ${large} of the order`);
  return undefined;
}

/** What a quote depends on, in addition to its time. */
export interface Validity {
  /** The version of the menu. */
  readonly version: number;
  readonly stockRevision: number;
  readonly currency: string | undefined;
  /** Milliseconds since 1970; undefined if the kitchen does not take the order. */
  readonly readyBy: number | undefined;
  readonly prepMinutes: number;
  readonly photos?: PhotoTexts;
}

/** The JSON text of a Quote. Names are JSON already, so that none is parsed to be written again. */
export function quoteText(order: PricedOrder, validity: Validity): string {
  const { version, stockRevision, currency, readyBy, prepMinutes, photos } = validity;
  const money = currency === undefined ? '' : `,"currency":${JSON.stringify(currency)}`;
  return (
    `{"menu_version":${version},"stock_revision":${stockRevision},"at":"${new Date(order.at).toISOString()}"${money},` +
    `"items":[${order.lines.map((line) => lineText(line, photos?.get(line.item.id))).join()}],"price":${order.price},"tax":${order.tax}` +
    `${readyBy === undefined ? '' : `,"ready_by":"${new Date(readyBy).toISOString()}"`},"prep_minutes":${prepMinutes}` +
    `${order.amounts === '{}' ? '' : `,${order.amounts.slice(1, -1)}`}}`
  );
}

function lineText(
  { externalId, item, quantity, modifiers, totalPrice, totalTax }: PricedLine,
  photo: string | undefined,
): string {
  return (
    `{"external_id":${JSON.stringify(externalId)},"name":${item.name},"quantity":${quantity},"price":${item.price},` +
    `"tax":${item.tax},"modifiers":[${modifiers.map(modifierText).join()}],` +
    `"total_price":${totalPrice},"total_tax":${totalTax}${photo === undefined ? '' : `,"photo":${photo}`}}`
  );
}

function modifierText({ group, modifier, quantity, freeQuantity, modifiers }: SelectedModifier): string {
  const nested = modifiers.length === 0 ? '' : `,"modifiers":[${modifiers.map(modifierText).join()}]`;
  return (
    `{"group_external_id":${JSON.stringify(group.externalId)},"external_id":${JSON.stringify(modifier.externalId)},` +
    `"name":${modifier.name},"quantity":${quantity},"free_quantity":${freeQuantity},` +
    `"price_change":${modifier.priceChange},"tax_change":${modifier.taxChange}${nested}}`
  );
}
