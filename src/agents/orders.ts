import { memberOf } from '../menus/kinds.js';
import { cleanText, nameOf, namesIn, pick, type Json, type Shown, type Wording } from './show.js';

/** What assistants read of orders and quotes. */

const LINE = namesIn(
  'external_id group_external_id name quantity free_quantity price tax price_change tax_change',
);
const MOST_MODIFIERS = 50;
const DEEPEST = 6;

/** A line as its documented members alone: whoever placed the order may have written anything else beside them. */
function readLine(line: unknown, withCustomer: boolean, depth = 0): Json {
  const modifiers = memberOf(line, 'modifiers');
  const nested = Array.isArray(modifiers) && depth < DEEPEST ? modifiers.slice(0, MOST_MODIFIERS) : [];
  return {
    ...pick(line, [...LINE, ...(withCustomer ? ['comments'] : [])]),
    ...(nested.length === 0
      ? {}
      : { modifiers: nested.map((one) => readLine(one, withCustomer, depth + 1)) }),
  };
}

export function linesOf(order: unknown, withCustomer = false): Json[] {
  const items = memberOf(order, 'items');
  return (Array.isArray(items) ? items : []).map((line) => readLine(line, withCustomer));
}

const ORDER = namesIn(
  'token id number external_id status service place source created_at ready_by completed_at ' +
    'updated_at price tax tip due charges discounts reason reason_text',
);
const OF_CUSTOMER = ['customer', 'customer_comments', 'delivery'];

/** An order without its lines; who ordered only if that was asked for. */
export function headOf(order: unknown, withCustomer: boolean): Json {
  const payments = memberOf(order, 'payments');
  return {
    ...pick({ store_id: memberOf(memberOf(order, 'store'), 'id') }, ['store_id']),
    ...pick(order, withCustomer ? [...ORDER, ...OF_CUSTOMER] : ORDER),
    ...(Array.isArray(payments)
      ? { payments: payments.map((payment) => pick(payment, ['method', 'amount', 'at'])) }
      : {}),
  };
}

export function showOrder(order: unknown, withCustomer: boolean, { currency }: Wording): Shown {
  const fields = { currency, ...headOf(order, withCustomer) };
  return { fields, list: linesOf(order, withCustomer), as: 'items' };
}

/** A line in a list: `2 x Flat white`. */
export function lineText({ name, external_id: id, quantity }: Json, wording: Wording): string {
  const called = typeof name === 'string' ? cleanText(name) : nameOf(name, wording);
  const count = typeof quantity === 'number' ? quantity : 1;
  return `${count} x ${called === '' && typeof id === 'string' ? cleanText(id) : called}`;
}

const QUOTE = namesIn('menu_version currency price tax charges discounts tip ready_by prep_minutes');

/** The priced lines, as an order takes them. */
export function showQuote(quote: unknown): Shown {
  return { fields: pick(quote, QUOTE), list: memberOf(quote, 'items') as unknown[], as: 'items' };
}
