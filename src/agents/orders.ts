import { memberOf } from '../menus/kinds.js';
import { cleanText, nameOf, namesIn, page, pick, show, type Json, type Wording } from './show.js';
import type { ToolCall } from './tool.js';

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

export async function showOrder(
  { wordingOf }: ToolCall,
  order: unknown,
  { cursor, include_customer }: Json = {},
): Promise<Json> {
  const withCustomer = include_customer === true;
  const head = headOf(order, withCustomer);
  const wording = await wordingOf(head['store_id']);
  const { entries, more } = page(linesOf(order, withCustomer), cursor, (line) => show(line, wording));
  return { ...(show({ currency: wording.currency, ...head }, wording) as Json), items: entries, ...more };
}

/** A line in a list: `2 x Flat white`. */
export function lineText({ name, external_id: id, quantity }: Json, wording: Wording): string {
  const called = typeof name === 'string' ? cleanText(name) : nameOf(name, wording);
  const count = typeof quantity === 'number' ? quantity : 1;
  return `${count} x ${called === '' && typeof id === 'string' ? cleanText(id) : called}`;
}

const QUOTE = namesIn('menu_version currency price tax charges discounts tip ready_by prep_minutes');

/** The priced lines, as an order takes them. */
export async function showQuote({ wordingOf }: ToolCall, quote: unknown, args: Json): Promise<Json> {
  const wording = await wordingOf(args['store_id']);
  const lines = memberOf(quote, 'items') as unknown[];
  const { entries, more } = page(lines, args['cursor'], (line) => show(line, wording));
  return { ...(show(pick(quote, QUOTE), wording) as Json), items: entries, ...more };
}
