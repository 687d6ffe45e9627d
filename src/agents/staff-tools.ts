import { KINDS, LIST_OF, memberOf, type Kind } from '../menus/kinds.js';
import { flatGroupsOf, itemsOfTree, listIn, showFound, showItem } from './menu.js';
import { proposeChanges, publishProposal } from './proposals.js';
import { headOf, linesOf, lineText, showOrder, showQuote } from './orders.js';
import { offsetOf, page, pick, show, type Json, type Shown, type Wording } from './show.js';
import { ADDS, CHANGES, CURSOR, IDEMPOTENCY_KEY, tool, type Tool, type ToolCall } from './tool.js';
import { DAY_MS } from '../support/durations.js';

const TEXT: Json = {
  type: 'string',
  description: 'Words to look for in names, descriptions and external_ids',
};
const INCLUDE_CUSTOMER: Json = {
  type: 'boolean',
  description:
    'Also the name, phone, address and comments of the customer. Ask for them only if the task needs them',
};
const STORES_PER_PAGE = 50;
const ORDERS_PER_PAGE = 20;
const LINES_SHOWN = 10;
const LEFT_OUT_SHOWN = 20;
const STORE = ['id', 'name', 'external_id', 'location_name', 'city', 'country', 'timezone'];

/** The tools of staff, each one operation with the permission of that operation. */
export const STAFF_TOOLS: readonly Tool[] = [
  tool('list_stores', 'list_stores', {
    description: 'Lists the stores that this key may see. Every other tool needs the id of a store.',
    takes: [],
    own: { cursor: CURSOR },
    run: async ({ run }, { cursor }) => {
      const skip = offsetOf(cursor);
      const stores = (await run('list_stores', { skip, limit: STORES_PER_PAGE })) as unknown[];
      const { entries, more } = page(stores, undefined, (store) =>
        show(pick(store, STORE), { timezone: 'UTC' }),
      );
      const isLast = stores.length < STORES_PER_PAGE && more.cursor === undefined;
      return { stores: entries, ...(isLast ? {} : { cursor: String(skip + entries.length) }) };
    },
  }),
  tool('search_menu', 'get_menu_configuration_flat', {
    description:
      'Finds entries of the published menu by words, or lists all. Amounts are in the minor unit of the currency; the text beside them is for people.',
    takes: ['store_id'],
    own: {
      text: TEXT,
      kind: { type: 'string', enum: KINDS, default: 'item', description: 'What to look for' },
      cursor: CURSOR,
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
    own: { external_id: { type: 'string', description: 'external_id of the item' }, cursor: CURSOR },
    requires: ['external_id'],
    shows: (menu, args, wording) =>
      showItem(listIn(menu, 'items'), (item) => flatGroupsOf(menu, item), args, wording),
  }),
  tool('available_menu', 'get_available_menu', {
    description: 'Lists what guests can order now, or at another time, and what is left out and why.',
    takes: ['store_id', 'at'],
    own: { text: TEXT, cursor: CURSOR },
    shows: (available, args, wording) => {
      const leftOut = listIn(available, 'left_out');
      const { fields, ...results } = showFound(itemsOfTree(available, wording), args, wording);
      const left = { left_out_count: leftOut.length, left_out: leftOut.slice(0, LEFT_OUT_SHOWN) };
      return { fields: { ...pick(available, ['at', 'timezone']), ...fields, ...left }, ...results };
    },
  }),
  tool('propose_menu_changes', 'change_menu', {
    description:
      'Tries changes of the menu and publishes nothing. Returns the difference, warnings and a proposal. Show the difference to the person and publish only after they agree.',
    takes: ['store_id', 'changes'],
    own: { cursor: CURSOR },
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
    shows: showIntake,
  }),
  tool('list_orders', 'list_orders', {
    description:
      'Lists orders by when they were created, newest first, with the exact count. Customers are left out unless asked for.',
    takes: ['store_id', 'start_time', 'end_time', 'status', 'customer_name', 'phone_number'],
    own: { include_customer: INCLUDE_CUSTOMER, cursor: CURSOR },
    run: listOrders,
  }),
  tool('get_order', 'get_managed_order', {
    description: 'Shows one order with its lines and payments. The customer is left out unless asked for.',
    takes: ['order_id'],
    own: { include_customer: INCLUDE_CUSTOMER, cursor: CURSOR },
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
    own: { cursor: CURSOR },
    shows: showQuote,
  }),
  tool('create_order', 'take_in_order', {
    description:
      'Creates an order, checked against the menu and the kitchen. Quote it first, tell the person the total, and send each line as the quote returned it (external_id, name, quantity, price, tax, modifiers), with its price and tax as the total.',
    takes: [
      ...['store_id', 'items', 'price', 'tax', 'customer', 'customer_comments', 'ready_by', 'service'],
      ...['charges', 'discounts', 'tip', 'external_id'],
    ],
    own: { idempotency_key: IDEMPOTENCY_KEY },
    requires: ['idempotency_key'],
    hints: ADDS,
    states: { check: 'menu' },
    shows: showAnOrder,
  }),
  tool('sales', 'get_sales', {
    description:
      'Adds up what a store has sold by day, hour, weekday, item, category or status, on the clock of the store.',
    takes: ['store_id', 'from', 'to', 'by', 'limit'],
    own: { cursor: CURSOR },
    shows: (sales) => ({
      fields: pick(sales, ['from', 'to', 'timezone', 'currency', 'by', 'complete_from', 'total']),
      list: memberOf(sales, 'rows') as unknown[],
      as: 'rows',
    }),
  }),
];

async function listOrders({ run, wordingOf }: ToolCall, args: Json): Promise<Json> {
  const start = offsetOf(args['cursor']);
  const page_index = Math.floor(start / ORDERS_PER_PAGE) + 1;
  const listed = await run('list_orders', { ...args, page_index, page_size: ORDERS_PER_PAGE });
  const ids = (memberOf(listed, 'order_result_list') as unknown[]).map((order) => memberOf(order, 'id'));
  const count = Number(memberOf(listed, 'count'));
  const wording = await wordingOf(args['store_id']);
  const managed = await readManaged(run, args['store_id'], ids.slice(start % ORDERS_PER_PAGE));
  const byId = new Map(managed.map((order) => [memberOf(order, 'id'), order]));
  const orders = ids.flatMap((id) => byId.get(id) ?? []);
  const { entries } = page(orders, undefined, (order) => {
    const lines = linesOf(order);
    return {
      ...(show(headOf(order, args['include_customer'] === true), wording) as Json),
      items: lines.slice(0, LINES_SHOWN).map((line) => lineText(line, wording)),
      ...(lines.length > LINES_SHOWN ? { more_items: lines.length - LINES_SHOWN } : {}),
    };
  });
  const end = start + entries.length;
  return {
    currency: wording.currency,
    count,
    orders: entries,
    ...(end < count && entries.length > 0 ? { cursor: String(end) } : {}),
  };
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

const SPECIAL_DAYS_SHOWN = 10;

/** The days to come matter; a calendar of years does not. */
function showIntake(intake: unknown): Shown {
  const { settings, ...now } = intake as Json;
  const days = (memberOf(settings, 'special_days') ?? []) as readonly { readonly date: string }[];
  const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const next = days.filter(({ date }) => date >= today).sort((a, b) => (a.date < b.date ? -1 : 1));
  return {
    fields: { ...now, settings: { ...(settings as Json), special_days: next.slice(0, SPECIAL_DAYS_SHOWN) } },
  };
}

function showAnOrder(order: unknown, { include_customer }: Json, wording: Wording): Shown {
  return showOrder(order, include_customer === true, wording);
}
