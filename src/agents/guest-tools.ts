import { itemsOfTree, listIn, searchEntities, showItem } from './menu.js';
import { showOrder, showQuote } from './orders.js';
import { show, type Json } from './show.js';
import { ADDS, CHANGES, CURSOR, IDEMPOTENCY_KEY, type Tool } from './tool.js';

/** A guest's order shows the guest's own notes. */
const OWN = { include_customer: true };
const TEXT: Json = { type: 'string', description: 'Words to look for in names and descriptions' };

/** The tools of a guest at one place; the code in the address stands for the place. */
export const GUEST_TOOLS: readonly Tool[] = [
  {
    name: 'get_place',
    description:
      'Shows the restaurant, the table or pick-up point, whether orders are taken now, and what guests are asked for.',
    operation: 'get_place',
    takes: [],
    run: async ({ run, wordingOf }) => show(await run('get_place', {}), await wordingOf(undefined)) as Json,
  },
  {
    name: 'search_menu',
    description:
      'Finds what can be ordered here by words, or lists all. What is sold out has in_stock false.',
    operation: 'get_guest_menu',
    takes: ['at'],
    own: { text: TEXT, cursor: CURSOR },
    run: async ({ run, wordingOf }, args) => {
      const wording = await wordingOf(undefined);
      return searchEntities(itemsOfTree(await run('get_guest_menu', args), wording), args, wording);
    },
  },
  {
    name: 'get_item',
    description: 'Shows one item with ingredients, allergens and everything that can be chosen with it.',
    operation: 'get_guest_menu',
    takes: ['at'],
    own: { external_id: { type: 'string', description: 'external_id of the item' }, cursor: CURSOR },
    requires: ['external_id'],
    run: async ({ run, wordingOf }, args) => {
      const wording = await wordingOf(undefined);
      const menu = await run('get_guest_menu', args);
      const items = [...itemsOfTree(menu, wording), ...listIn(menu, 'components')];
      const item = items.find((one) => one['external_id'] === args['external_id']);
      return showItem(item, listIn(item, 'modifier_groups'), args, wording);
    },
  },
  {
    name: 'quote',
    description:
      'Prices a basket and says when it will be ready, or every reason why it cannot be ordered. Nothing is ordered.',
    operation: 'quote_basket',
    takes: ['items', 'ready_by'],
    own: { cursor: CURSOR },
    run: async (call, args) => showQuote(call, await call.run('quote_basket', args), args),
  },
  {
    name: 'place_order',
    description:
      'Orders for this place. Quote first, tell the guest the total and order only after they agree: expected_total is the total they agreed to. If it has moved, nothing is ordered and the answer holds the new quote. Keep the token, which shows and cancels the order.',
    operation: 'place_order',
    takes: ['items', 'customer', 'customer_comments', 'ready_by', 'expected_total'],
    own: { idempotency_key: IDEMPOTENCY_KEY },
    requires: ['idempotency_key'],
    hints: ADDS,
    run: async (call, args) => showOrder(call, await call.run('place_order', args), OWN),
  },
  {
    name: 'get_order',
    description: 'Shows an order as it is now, for whoever has its token.',
    operation: 'get_guest_order',
    takes: ['token'],
    own: { cursor: CURSOR },
    run: async (call, args) => showOrder(call, await call.run('get_guest_order', args), { ...args, ...OWN }),
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order that the restaurant has not accepted yet.',
    operation: 'cancel_guest_order',
    takes: ['token'],
    hints: CHANGES,
    run: async (call, args) => showOrder(call, await call.run('cancel_guest_order', args), OWN),
  },
];
