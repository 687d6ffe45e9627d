import type { Static } from 'typebox';
import { FaultList } from '../faults.js';
import type { ZonedMoment } from '../menu/hours.js';
import { memberOf } from '../menu/kinds.js';
import { compileShape } from '../shape/compile-shape.js';
import { addTooLarge, checkItem, checkLine, type Checking, type PricedLine } from './check-line.js';
import { addProduct, toJsonNumber, type Exact } from './exact-sum.js';
import { checkStated } from './line-faults.js';
import { ALWAYS_OPEN, openingsAt } from './openings.js';
import type { PriceList } from './price-list.js';
import { MOST_LINES, QuoteEnvelope, QuoteLineRequest } from './shapes.js';

export interface PricedOrder {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly lines: readonly PricedLine[];
  readonly price: number;
  readonly tax: number;
}

/** An order as the menu prices it, and what is wrong with it. */
export interface QuotedOrder {
  /** Undefined where it cannot be sold; stated amounts that are wrong do not keep it from being priced. */
  readonly priced: PricedOrder | undefined;
  readonly faults: FaultList;
}

/** What a quote may spend on near misses: requests wait for it, unlike for the check of a menu. */
const EFFORT = 300_000;

const checkEnvelope = compileShape(QuoteEnvelope);
const checkLineShape = compileShape(QuoteLineRequest);

/** Checks an order in full, its shape and every rule of the menu, and prices it. `body` is as it was sent. */
export function quoteOrder(body: unknown, list: PriceList, now: ZonedMoment): QuotedOrder {
  const faults = new FaultList();
  const asked = checkEnvelope(body, ['body'], faults) as Partial<Static<typeof QuoteEnvelope>> | undefined;
  const at = momentOf(body, asked?.at, now);
  const openings = at === undefined ? ALWAYS_OPEN : openingsAt(list, { ...now, at });
  const checking = { list, openings, effort: { left: EFFORT }, faults, stated: { wrong: 0 } };
  const lines = checkLines(memberOf(body, 'items'), checking);
  const isSound = () => faults.total === checking.stated.wrong && !faults.isHopeless;
  const totals = isSound() ? sumUp(lines, faults) : undefined;
  if (totals === undefined || at === undefined) return { priced: undefined, faults };
  checkStated(checking, ['body'], 'price', asked?.price, totals.price);
  checkStated(checking, ['body'], 'tax', asked?.tax, totals.tax);
  return { priced: { at, lines, ...totals }, faults };
}

/** Undefined where the stated moment cannot be read, which is reported already: no other moment stands in for it. */
function momentOf(body: unknown, read: string | undefined, now: ZonedMoment): number | undefined {
  if (read !== undefined) return Date.parse(read);
  return (memberOf(body, 'at') ?? undefined) === undefined ? now.at : undefined;
}

/** A list that is none, or too long, and a line that is no object have been reported by the envelope. */
function checkLines(items: unknown, checking: Checking): PricedLine[] {
  const { faults } = checking;
  const priced: PricedLine[] = [];
  if (!Array.isArray(items) || items.length > MOST_LINES) return priced;
  for (const [at, sent] of (items as unknown[]).entries()) {
    if (faults.isHopeless) {
      faults.addUnreported(0, 'at least');
      break;
    }
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) continue;
    const before = faults.total;
    const loc = ['body', 'items', at];
    const line = checkLineShape(sent, loc, faults);
    if (faults.total === before) {
      const found = checkLine(line, loc, checking);
      if (found !== undefined) priced.push(found);
      continue;
    }
    // A slip elsewhere in the line does not hide that its item cannot be had.
    const externalId: unknown = line.external_id;
    if (typeof externalId === 'string') checkItem(externalId, loc, checking);
  }
  return priced;
}

function sumUp(lines: readonly PricedLine[], faults: FaultList): { price: number; tax: number } | undefined {
  let prices: Exact = 0;
  let taxes: Exact = 0;
  for (const { totalPrice, totalTax } of lines) {
    prices = addProduct(prices, totalPrice, 1);
    taxes = addProduct(taxes, totalTax, 1);
  }
  const [price, tax] = [toJsonNumber(prices), toJsonNumber(taxes)];
  if (price !== undefined && tax !== undefined) return { price, tax };
  addTooLarge(faults, ['body', 'items'], `The ${price === undefined ? 'price' : 'tax'} of the order`);
  return undefined;
}
