import { itemsOfTree, listIn, showFound, showItem } from './menu.js';
import { showOrder, showQuote } from './orders.js';
import { ADDS, CHANGES, EXTERNAL_ID, TEXT, tool, type Tool } from './tool.js';

/** With the guest's own notes. */
const showOwnOrder: Tool['shows'] = (order, _, wording) => showOrder(order, true, wording);

/** The tools of a guest at one place; the code in the address stands for the place. */
export const GUEST_TOOLS: readonly Tool[] = [
  tool('get_place', 'get_place', {
    description:
      'Shows the restaurant, the table or pick-up point, whether orders are taken now, and what guests are asked for.',
    takes: [],
  }),
  tool('search_menu', 'get_guest_menu', {
    description:
      'Finds what can be ordered here by words, or lists all. What is sold out has in_stock false.',
    takes: ['at'],
    own: { text: TEXT },
    shows: (menu, args, wording) => showFound(itemsOfTree(menu, wording), args, wording),
  }),
  tool('get_item', 'get_guest_menu', {
    description: 'Shows one item with ingredients, allergens and everything that can be chosen with it.',
    takes: ['at'],
    own: { external_id: EXTERNAL_ID },
    requires: ['external_id'],
    shows: (menu, args, wording) => {
      const items = [...itemsOfTree(menu, wording), ...listIn(menu, 'components')];
      return showItem(items, (item) => listIn(item, 'modifier_groups'), args, wording);
    },
  }),
  tool('quote', 'quote_basket', {
    description:
      'Prices a basket and says when it will be ready, or every reason why it cannot be ordered. Nothing is ordered.',
    takes: ['items', 'ready_by'],
    shows: showQuote,
  }),
  tool('place_order', 'place_order', {
    description:
      'Orders for this place. Quote first, tell the guest the total and order only after they agree: expected_total is the total they agreed to. If it has moved, nothing is ordered and the answer holds the new quote. Keep the token, which shows and cancels the order.',
    takes: ['items', 'customer', 'customer_comments', 'ready_by', 'expected_total'],
    ...ADDS,
    shows: showOwnOrder,
  }),
  tool('get_order', 'get_guest_order', {
    description: 'Shows an order as it is now, for whoever has its token.',
    takes: ['token'],
    shows: showOwnOrder,
  }),
  tool('cancel_order', 'cancel_guest_order', {
    description: 'Cancels an order that the restaurant has not accepted yet.',
    takes: ['token'],
    hints: CHANGES,
    shows: showOwnOrder,
  }),
];
