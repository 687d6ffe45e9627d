import { KINDS, LIST_OF, type Kind } from '../menus/kinds.js';
import { memberOf } from '../support/maps.js';
import { DAY_MS } from '../support/datetime.js';
import { flatGroupsOf, itemsOfTree, listIn, showFound, showItem } from './menu.js';
import { showListed, showOrder, showQuote } from './orders.js';
import { proposeChanges, publishProposal } from './proposals.js';
import { NO_WORDING, offsetOf, pick, show, toAnswer, type Json, type Shown, type Wording } from './show.js';
import { ADDS, CHANGES, EXTERNAL_ID, TEXT, tool, type Tool, type ToolCall } from './tool.js';

const INCLUDE_CUSTOMER: Json = {
  type: 'boolean',
  description:
    'Also the name, phone, address and comments of the customer. Ask for them only if the task needs them',
};
const STORES_PER_PAGE = 50;
const ORDERS_PER_PAGE = 20;
const STORE = ['id', 'name', 'external_id', 'location_name', 'city', 'country', 'timezone'];

/** The tools of staff, each one operation with the permission of that operation. */
export const STAFF_TOOLS: readonly Tool[] = [
  tool('list_stores', 'list_stores', {
    description: 'Lists the stores that this key may see. Every other tool needs the id of a store.',
    takes: [],
    run: async ({ run }, { cursor }) => {
      const skip = offsetOf(cursor);
      const listed = (await run('list_stores', { skip, limit: STORES_PER_PAGE })) as unknown[];
      const stores = listed.map((store) => pick(store, STORE));
      const total = skip + stores.length + (stores.length < STORES_PER_PAGE ? 0 : 1);
      return toAnswer({ fields: {}, lists: { stores }, total }, cursor, NO_WORDING);
    },
  }),
  tool('search_menu', 'get_menu_configuration_flat', {
    description:
      'Finds entries of the published menu by words, or lists all. Amounts are in the minor unit of the currency; the text beside them is for people.',
    takes: ['store_id'],
    own: {
      text: TEXT,
      kind: { type: 'string', enum: KINDS, default: 'item', description: 'What to look for' },
    },
    shows: (menu, args, wording) => {
      const kind = KINDS.find((one) => one === args['kind']) ?? 'item';
      return showFound(listIn(menu, LIST_OF[kind]), args, wording);
    },
  }),
  tool('get_item', 'get_menu_configuration_flat', {
    description:
      'Shows one item of the menu with its translations and everything that can be chosen with it.',
    takes: ['store_id'],
    own: { external_id: EXTERNAL_ID },
    requires: ['external_id'],
    shows: (menu, args, wording) =>
      showItem(listIn(menu, 'items'), (item) => flatGroupsOf(menu, item), args, wording),
  }),
  tool('available_menu', 'get_available_menu', {
    description: 'Lists what guests can order now, or at another time, and what is left out and why.',
    takes: ['store_id', 'at'],
    own: { text: TEXT },
    shows: (available, args, wording) => {
      const left_out = listIn(available, 'left_out');
      const { fields, lists } = showFound(itemsOfTree(available, wording), args, wording);
      const head = { ...pick(available, ['at', 'timezone']), ...fields, left_out_count: left_out.length };
      return { fields: head, lists: { ...lists, left_out } };
    },
  }),
  tool('propose_menu_changes', 'change_menu', {
    description:
      'Tries changes of the menu and publishes nothing. Returns the difference, warnings and a proposal. Show the difference to the person and publish only after they agree.',
    takes: ['store_id', 'changes'],
    run: proposeChanges,
  }),
  tool('publish_proposal', 'change_menu', {
    description:
      'Publishes changes that propose_menu_changes has shown, with the same changes and its proposal. If the menu has moved since, it publishes nothing and returns the new difference.',
    takes: ['store_id', 'changes'],
    own: { proposal: { type: 'string', description: 'From propose_menu_changes, for the same changes' } },
    requires: ['proposal'],
    hints: CHANGES,
    run: publishProposal,
  }),
  tool('set_stock', 'mark_item', {
    description:
      'Marks an item, or something that is chosen with items, as sold out or back in stock. Guests see it at once.',
    takes: ['store_id', 'external_id', 'in_stock', 'until', 'left'],
    own: {
      external_id: { type: 'string', description: 'external_id of what is marked' },
      kind: {
        type: 'string',
        enum: ['item', 'modifier_item'] satisfies Kind[],
        default: 'item',
        description:
          'modifier_item: something that is chosen with items, such as a kind of milk. It cannot be counted',
      },
    },
    hints: CHANGES,
    run: async ({ run, wordingOf }, { kind, ...args }) => {
      const marked = await run(kind === 'modifier_item' ? 'mark_modifier_item' : 'mark_item', args);
      return show(marked, await wordingOf(args['store_id'])) as Json;
    },
  }),
  tool('get_intake', 'get_intake', {
    description:
      'Shows whether the store is open, busy, paused or closed, what an order is promised now, and how full the next hours are.',
    takes: ['store_id'],
    shows: showIntake,
  }),
  tool('set_intake', 'change_intake', {
    description:
      'Pauses the store, says how busy it is, or with null resumes. Without an end it lasts until 06:00 on the clock of the store.',
    takes: ['store_id', 'pause', 'busy'],
    hints: CHANGES,
    shows: (intake) => ({ fields: showIntake(intake).fields }),
  }),
  tool('list_orders', 'list_orders', {
    description:
      'Lists orders by when they were created, newest first, with the exact count. Customers are left out unless asked for.',
    takes: ['store_id', 'start_time', 'end_time', 'status', 'customer_name', 'phone_number'],
    own: { include_customer: INCLUDE_CUSTOMER },
    run: listOrders,
  }),
  tool('get_order', 'get_managed_order', {
    description: 'Shows one order with its lines and payments. The customer is left out unless asked for.',
    takes: ['order_id'],
    own: { include_customer: INCLUDE_CUSTOMER },
    shows: showAnOrder,
  }),
  tool('change_order_status', 'change_order', {
    description:
      'Accepts, rejects, finishes or cancels an order. A guest who waits for it sees the new status and the reason at once.',
    takes: ['order_id', 'status', 'reason', 'reason_text'],
    requires: ['status'],
    hints: CHANGES,
    shows: showAnOrder,
  }),
  tool('quote', 'quote_order', {
    description:
      'Prices lines against the menu and says when they will be ready, or every reason why they cannot be ordered. Nothing is ordered.',
    takes: ['store_id', 'items', 'ready_by', 'charges', 'discounts', 'tip'],
    shows: showQuote,
  }),
  tool('create_order', 'take_in_order', {
    description:
      'Creates an order, checked against the menu and the kitchen. Quote it first, tell the person the total, and send each line as the quote returned it (external_id, name, quantity, price, tax, modifiers), with its price and tax as the total.',
    takes: [
      ...['store_id', 'items', 'price', 'tax', 'customer', 'customer_comments', 'ready_by', 'service'],
      ...['charges', 'discounts', 'tip', 'external_id'],
    ],
    ...ADDS,
    states: { check: 'menu' },
    shows: showAnOrder,
  }),
  tool('sales', 'get_sales', {
    description:
      'Adds up what a store has sold by day, hour, weekday, item, category, status, service, source or payment method, on the clock of the store.',
    takes: ['store_id', 'from', 'to', 'by', 'limit'],
    shows: (sales) => ({
      fields: pick(sales, ['from', 'to', 'timezone', 'currency', 'by', 'total']),
      lists: { rows: listIn(sales, 'rows') },
    }),
  }),
];

async function listOrders({ run, wordingOf }: ToolCall, args: Json): Promise<Json> {
  const { store_id: storeId, cursor, include_customer: withCustomer } = args;
  const start = offsetOf(cursor);
  const page_index = Math.floor(start / ORDERS_PER_PAGE) + 1;
  const listed = await run('list_orders', { ...args, page_index, page_size: ORDERS_PER_PAGE });
  const ids = listIn(listed, 'order_result_list').map(({ id }) => id);
  const count = Number(memberOf(listed, 'count'));
  const wording = await wordingOf(storeId);
  const managed = await readManaged(run, storeId, ids.slice(start % ORDERS_PER_PAGE));
  const byId = new Map(managed.map((order) => [memberOf(order, 'id'), order]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  const orders = found.map((order) => showListed(order, withCustomer === true, wording));
  const fields = { currency: wording.currency, count };
  return toAnswer({ fields, lists: { orders }, total: count }, cursor, wording);
}

/** Large orders come in several pages. */
async function readManaged(
  run: ToolCall['run'],
  storeId: unknown,
  ids: readonly unknown[],
): Promise<unknown[]> {
  const orders: unknown[] = [];
  for (let cursor: unknown, hasMore: unknown = ids.length > 0; hasMore === true;) {
    const asked = { store_id: storeId, ids: ids.join(), limit: ORDERS_PER_PAGE, cursor };
    const page = await run('list_managed_orders', asked);
    orders.push(...(memberOf(page, 'orders') as unknown[]));
    [cursor, hasMore] = [memberOf(page, 'cursor'), memberOf(page, 'has_more')];
  }
  return orders;
}

const SPECIAL_DAYS_SHOWN = 5;

/** The days to come matter; a calendar of years does not. */
function showIntake(intake: unknown): Shown {
  const { settings, slots, ...now } = intake as Json;
  const days = (memberOf(settings, 'special_days') ?? []) as readonly { readonly date: string }[];
  const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const next = days.filter(({ date }) => date >= today).sort((a, b) => (a.date < b.date ? -1 : 1));
  const special_days = next.slice(0, SPECIAL_DAYS_SHOWN);
  return {
    fields: { ...now, settings: { ...(settings as Json), special_days } },
    ...(slots === undefined ? {} : { lists: { slots: slots as unknown[] } }),
  };
}

function showAnOrder(order: unknown, { include_customer }: Json, wording: Wording): Shown {
  return showOrder(order, include_customer === true, wording);
}
