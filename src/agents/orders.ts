import { memberOf } from '../support/maps.js';
import { listIn } from './menu.js';
import { cleanText, nameOf, namesIn, pick, type Json, type Shown, type Wording } from './show.js';

/** What assistants read of orders and quotes. */

const LINE = namesIn(
  'external_id group_external_id name quantity free_quantity price tax price_change tax_change',
);
const MOST_MODIFIERS = 50;
const DEEPEST = 6;

/** A line as its documented members alone: whoever placed the order may have written anything else beside them. */
function readLine(line: unknown, withCustomer: boolean, depth = 0): Json {
  const nested = depth < DEEPEST ? listIn(line, 'modifiers').slice(0, MOST_MODIFIERS) : [];
  const modifiers = nested.map((one) => readLine(one, withCustomer, depth + 1));
  return {
    ...pick(line, [...LINE, ...(withCustomer ? ['comments'] : [])]),
    ...(modifiers.length === 0 ? {} : { modifiers }),
  };
}

const ORDER = namesIn(
  'token id number external_id status service place source created_at ready_by completed_at ' +
    'updated_at price tax tip due charges discounts reason reason_text',
);
const OF_CUSTOMER = ['customer', 'customer_comments', 'delivery'];

/** Who ordered only if that was asked for. */
export function showOrder(order: unknown, withCustomer: boolean, { currency }: Wording) {
  const payments = listIn(order, 'payments').map((payment) => pick(payment, ['method', 'amount', 'at']));
  const store = memberOf(memberOf(order, 'store'), 'id');
  const head = pick(order, withCustomer ? [...ORDER, ...OF_CUSTOMER] : ORDER);
  return {
    fields: {
      currency,
      ...(store === undefined ? {} : { store_id: store }),
      ...head,
      ...(payments.length === 0 ? {} : { payments }),
    },
    lists: { items: listIn(order, 'items').map((line) => readLine(line, withCustomer)) },
  } satisfies Shown;
}

const LINES_SHOWN = 10;

/** An order in a list, its lines as `2 x Flat white`. */
export function showListed(order: unknown, withCustomer: boolean, wording: Wording): Json {
  const { fields, lists } = showOrder(order, withCustomer, wording);
  const { currency: _, ...head } = fields;
  const items = lists.items.slice(0, LINES_SHOWN).map((line) => lineText(line, wording));
  const more = lists.items.length - items.length;
  return { ...head, items, ...(more > 0 ? { more_items: more } : {}) };
}

function lineText({ name, external_id: id, quantity }: Json, wording: Wording): string {
  const called = typeof name === 'string' ? cleanText(name) : nameOf(name, wording);
  const count = typeof quantity === 'number' ? quantity : 1;
  return `${count} x ${called === '' && typeof id === 'string' ? cleanText(id) : called}`;
}

const QUOTE = namesIn('menu_version currency price tax charges discounts tip ready_by prep_minutes');

/** The priced lines, as an order takes them. */
export function showQuote(quote: unknown): Shown {
  return { fields: pick(quote, QUOTE), lists: { items: listIn(quote, 'items') } };
}
