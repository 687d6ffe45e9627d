import { checkStated } from '../quotes/checking.js';
import { addAmounts } from '../quotes/quote-order.js';
import { Conflict } from '../support/errors.js';
import { ErrorList } from '../support/error-details.js';
import { mergePatch, sortedText } from '../support/maps.js';
import { compileShape } from '../support/shape/compile-shape.js';
import { amendLines, totalsOf, type Amounts, type MenuNow } from './amend-lines.js';
import type { FieldChange } from './change.sql.js';
import { dueOf, factsText, parseFacts, refuseLargeSums, sourceOf, type Facts } from './facts.js';
import { Delivery, References } from './fact-shapes.js';
import type { OrderState } from './json.sql.js';
import type { OrderPatch } from './request-shapes.js';
import { AMENDED_FIELDS, isFinal } from './status.js';

export interface Amendment {
  readonly state: OrderState;
  readonly fields: readonly FieldChange[];
}

export function isAmendment(patch: OrderPatch): boolean {
  return AMENDED_FIELDS.some((field) => patch[field] !== undefined);
}

/**
 * Changes what an order asks for and says. In an order that was checked against the menu, lines that stay are not checked
 * again, and the total follows from the lines; in any other the total moves by what the change comes to, unless it is stated.
 */
export function amendOrder(
  state: OrderState,
  patch: OrderPatch,
  menu: MenuNow | undefined,
  label?: string,
): Amendment {
  if (isFinal(state.status))
    throw new Conflict(`An order that is ${state.status} cannot be changed any more`);
  const errors = new ErrorList();
  const before = parseFacts(state.facts);
  // As they are kept: an empty list is none.
  const facts = parseFacts(factsText(amendFacts(before, patch, errors, label)));
  const kept = totalsOf(state);
  const served = { ...state, readyBy: patch.ready_by ?? state.readyBy };
  const { totals, items } =
    patch.items === undefined
      ? { totals: kept, items: state.items }
      : amendLines(served, kept, patch.items, menu, errors);
  errors.throwIfAny();
  const { price, tax } = amendTotal(state, patch, { before, facts, kept, totals }, errors);
  refuseLargeSums({ price, tax, ...facts }, { path: ['body'], errors });
  errors.throwIfAny();
  const next: OrderState = {
    ...state,
    price,
    tax,
    due: dueOf(price, tax, facts),
    items,
    customerName: patch.customer?.name ?? state.customerName,
    customerPhone: patch.customer?.phone ?? state.customerPhone,
    facts: factsText(facts),
    ...(state.lineTotals === undefined ? {} : { lineTotals: JSON.stringify(totals) }),
  };
  return { state: next, fields: changedFields({ state, facts: before }, { state: next, facts }) };
}

const checkReferences = compileShape(References());
const checkDelivery = compileShape(Delivery, 'refused');

function amendFacts(before: Facts, patch: OrderPatch, errors: ErrorList, label: string | undefined): Facts {
  const { references, delivery, source, charges, discounts, tip, custom, stations_done: stations } = patch;
  return {
    ...before,
    source: patched(before.source, source && sourceOf(source, before.source?.name ?? label)),
    charges: patched(before.charges, charges),
    discounts: patched(before.discounts, discounts),
    tip: patched(before.tip, tip),
    custom: patched(before.custom, custom),
    stations_done: patched(before.stations_done, stations && [...new Set(stations)].sort()),
    references: patched(
      before.references,
      references &&
        checkReferences(mergePatch(before.references, references), ['body', 'references'], errors),
    ),
    delivery: patched(
      before.delivery,
      delivery && checkDelivery(mergePatch(before.delivery, delivery), ['body', 'delivery'], errors),
    ),
  };
}

/** What is not stated stays, and null clears it. */
function patched<T>(before: T | undefined, stated: T | null | undefined): T | undefined {
  return stated === undefined ? before : (stated ?? undefined);
}

interface Moved {
  readonly before: Facts;
  readonly facts: Facts;
  readonly kept: readonly Amounts[];
  readonly totals: readonly Amounts[];
}

function amendTotal(state: OrderState, patch: OrderPatch, moved: Moved, errors: ErrorList) {
  const { before, facts, kept, totals } = moved;
  const [linePrice, lineTax] = [sumOf(totals, 0), sumOf(totals, 1)];
  const stated = { price: patch.price ?? undefined, tax: patch.tax ?? undefined };
  if (state.lineTotals !== undefined) {
    const total = addAmounts(linePrice, lineTax, facts, errors);
    if (total === undefined) return { price: state.price, tax: state.tax };
    const checking = { errors, stated: { wrong: 0 } };
    checkStated(checking, ['body'], 'price', stated.price, total.price.expected, total.price);
    checkStated(checking, ['body'], 'tax', stated.tax, total.tax.expected, total.tax);
    return { price: total.price.expected, tax: total.tax.expected };
  }
  const movedBy = (member: 'price' | 'tax', i: 0 | 1) =>
    sumOf(totals, i) - sumOf(kept, i) + amountsIn(facts, member) - amountsIn(before, member);
  const price = stated.price ?? state.price + movedBy('price', 0);
  const tax = stated.tax ?? state.tax + movedBy('tax', 1);
  if (price < 0 || tax < 0)
    errors.add({
      loc: ['body', 'discounts'],
      msg: `The ${price < 0 ? 'price' : 'tax'} of the order is below zero`,
      type: 'negative_total',
    });
  return { price, tax };
}

const sumOf = (totals: readonly Amounts[], i: 0 | 1) => totals.reduce((sum, total) => sum + total[i], 0);

function amountsIn({ charges = [], discounts = [] }: Facts, member: 'price' | 'tax'): number {
  const added = charges.reduce((sum, charge) => sum + charge[member], 0);
  return discounts.reduce((sum, discount) => sum - discount[member], added);
}

interface Compared {
  readonly state: OrderState;
  readonly facts: Facts;
}

function changedFields(before: Compared, after: Compared): FieldChange[] {
  const fields: FieldChange[] = [];
  const compare = (field: FieldChange['field'], from: unknown, to: unknown) => {
    if (sortedText(from) !== sortedText(to)) fields.push({ field, from, to });
  };
  if (before.state.items !== after.state.items)
    compare('items', JSON.parse(before.state.items), JSON.parse(after.state.items));
  compare('price', before.state.price, after.state.price);
  compare('tax', before.state.tax, after.state.tax);
  compare('customer', customerOf(before.state), customerOf(after.state));
  for (const field of ['source', 'references', 'charges', 'discounts', 'tip', 'delivery', 'custom'] as const)
    compare(field, before.facts[field], after.facts[field]);
  compare('stations_done', before.facts.stations_done ?? [], after.facts.stations_done ?? []);
  return fields;
}

const customerOf = ({ customerName: name, customerPhone: phone }: OrderState) => ({ name, phone });
