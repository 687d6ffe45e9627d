import { KINDS, LIST_OF, memberOf, type Kind } from '../menus/kinds.js';
import { currencyOf, groupsOf, itemsOfTree, listIn, searchEntities, showItem } from './menu.js';
import { proposeChanges, publishProposal } from './proposals.js';
import { headOf, linesOf, lineText, showOrder, showQuote } from './orders.js';
import { offsetOf, page, pick, show, type Json } from './show.js';
import { ADDS, CHANGES, CURSOR, IDEMPOTENCY_KEY, type Tool, type ToolCall } from './tool.js';

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
const STORE = ['id', 'name', 'external_id', 'location_name', 'city', 'country', 'timezone'];

/** The tools of staff, each one operation with the permission of that operation. */
export const STAFF_TOOLS: readonly Tool[] = [
  {
    name: 'list_stores',
    description: 'Lists the stores that this key may see. Every other tool needs the id of a store.',
    operation: 'list_stores',
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
  },
  {
    name: 'search_menu',
    description:
      'Finds entries of the published menu by words, or lists all. Amounts are in the minor unit of the currency; the text beside them is for people.',
    operation: 'get_menu_configuration_flat',
    takes: ['store_id'],
    own: {
      text: TEXT,
      kind: { type: 'string', enum: KINDS, default: 'item', description: 'What to look for' },
      cursor: CURSOR,
    },
    run: async ({ run, wordingOf }, args) => {
      const kind = KINDS.find((one) => one === args['kind']) ?? 'item';
      const menu = await run('get_menu_configuration_flat', args);
      return searchEntities(listIn(menu, LIST_OF[kind]), args, await wordingOf(args['store_id']));
    },
  },
  {
    name: 'get_item',
    description:
      'Shows one item of the menu with its translations and everything that can be chosen with it.',
    operation: 'get_menu_configuration_flat',
    takes: ['store_id'],
    own: { external_id: { type: 'string', description: 'external_id of the item' }, cursor: CURSOR },
    requires: ['external_id'],
    run: async ({ run, wordingOf }, args) => {
      const menu = await run('get_menu_configuration_flat', args);
      const item = listIn(menu, 'items').find((one) => one['external_id'] === args['external_id']);
      return showItem(item, groupsOf(menu, item), args, await wordingOf(args['store_id']));
    },
  },
  {
    name: 'available_menu',
    description: 'Lists what guests can order now, or at another time, and what is left out and why.',
    operation: 'get_available_menu',
    takes: ['store_id', 'at'],
    own: { text: TEXT, cursor: CURSOR },
    run: async ({ run, wordingOf }, args) => {
      const available = await run('get_available_menu', args);
      const wording = await wordingOf(args['store_id']);
      const leftOut = listIn(available, 'left_out');
      return {
        ...(show(pick(available, ['at', 'timezone']), wording) as Json),
        ...searchEntities(itemsOfTree(available, wording), args, wording),
        left_out_count: leftOut.length,
        left_out: leftOut.slice(0, 20).map((entry) => show(entry, wording)),
      };
    },
  },
  {
    name: 'propose_menu_changes',
    description:
      'Tries changes of the menu and publishes nothing. Returns the difference, warnings and a proposal. Show the difference to the person and publish only after they agree.',
    operation: 'change_menu',
    takes: ['store_id', 'changes'],
    own: { cursor: CURSOR },
    run: proposeChanges,
  },
  {
    name: 'publish_proposal',
    description:
      'Publishes changes that propose_menu_changes has shown, with the same changes and its proposal. If the menu has moved since, it publishes nothing and returns the new difference.',
    operation: 'change_menu',
    takes: ['store_id', 'changes'],
    own: { proposal: { type: 'string', description: 'From propose_menu_changes, for the same changes' } },
    requires: ['proposal'],
    hints: CHANGES,
    run: publishProposal,
  },
  {
    name: 'set_stock',
    description:
      'Marks an item, or something that is chosen with items, as sold out or back in stock. Guests see it at once.',
    operation: 'mark_item',
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
  },
  {
    name: 'get_intake',
    description:
      'Shows whether the store is open, busy, paused or closed, what an order is promised now, and how full the next hours are.',
    operation: 'get_intake',
    takes: ['store_id'],
    run: async (call, args) => showIntake(call, args, await call.run('get_intake', args)),
  },
  {
    name: 'set_intake',
    description:
      'Pauses the store, says how busy it is, or with null resumes. Without an end it lasts until 06:00 on the clock of the store.',
    operation: 'change_intake',
    takes: ['store_id', 'pause', 'busy'],
    hints: CHANGES,
    run: async (call, args) => showIntake(call, args, await call.run('change_intake', args)),
  },
  {
    name: 'list_orders',
    description:
      'Lists orders by when they were created, newest first, with the exact count. Customers are left out unless asked for.',
    operation: 'list_orders',
    takes: ['store_id', 'start_time', 'end_time', 'status', 'customer_name', 'phone_number'],
    own: { include_customer: INCLUDE_CUSTOMER, cursor: CURSOR },
    run: listOrders,
  },
  {
    name: 'get_order',
    description: 'Shows one order with its lines and payments. The customer is left out unless asked for.',
    operation: 'get_managed_order',
    takes: ['order_id'],
    own: { include_customer: INCLUDE_CUSTOMER, cursor: CURSOR },
    run: async (call, args) => showOrder(call, await call.run('get_managed_order', args), args),
  },
  {
    name: 'change_order_status',
    description:
      'Accepts, rejects, finishes or cancels an order. A guest who waits for it sees the new status and the reason at once.',
    operation: 'change_order',
    takes: ['order_id', 'status', 'reason', 'reason_text'],
    requires: ['status'],
    hints: CHANGES,
    run: async (call, args) => showOrder(call, await call.run('change_order', args)),
  },
  {
    name: 'quote',
    description:
      'Prices lines against the menu and says when they will be ready, or every reason why they cannot be ordered. Nothing is ordered.',
    operation: 'quote_order',
    takes: ['store_id', 'items', 'ready_by', 'charges', 'discounts', 'tip'],
    own: { cursor: CURSOR },
    run: async (call, args) => showQuote(call, await call.run('quote_order', args), args),
  },
  {
    name: 'create_order',
    description:
      'Creates an order, checked against the menu and the kitchen. Quote it first, tell the person the total, and send each line as the quote returned it (external_id, name, quantity, price, tax, modifiers), with its price and tax as the total.',
    operation: 'take_in_order',
    takes: [
      ...['store_id', 'items', 'price', 'tax', 'customer', 'customer_comments', 'ready_by', 'service'],
      ...['charges', 'discounts', 'tip', 'external_id'],
    ],
    own: { idempotency_key: IDEMPOTENCY_KEY },
    requires: ['idempotency_key'],
    hints: ADDS,
    run: async (call, args) => showOrder(call, await call.run('take_in_order', { ...args, check: 'menu' })),
  },
  {
    name: 'sales',
    description:
      'Adds up what a store has sold by day, hour, weekday, item, category or status, on the clock of the store.',
    operation: 'get_sales',
    takes: ['store_id', 'from', 'to', 'by', 'limit'],
    own: { cursor: CURSOR },
    run: async ({ run, wordingOf }, args) => {
      const sales = await run('get_sales', args);
      const wording = await wordingOf(args['store_id']);
      const { entries, more } = page(memberOf(sales, 'rows') as unknown[], args['cursor'], (row) =>
        show(row, wording),
      );
      const head = pick(sales, ['from', 'to', 'timezone', 'currency', 'by', 'total']);
      return { ...(show(head, wording) as Json), rows: entries, ...more };
    },
  },
];

async function listOrders({ run, wordingOf }: ToolCall, args: Json): Promise<Json> {
  const start = offsetOf(args['cursor']);
  const page_index = Math.floor(start / ORDERS_PER_PAGE) + 1;
  const listed = await run('list_orders', { ...args, page_index, page_size: ORDERS_PER_PAGE });
  const ids = (memberOf(listed, 'order_result_list') as unknown[]).map((order) => memberOf(order, 'id'));
  const count = Number(memberOf(listed, 'count'));
  const wording = await wordingOf(args['store_id']);
  const asked = { store_id: args['store_id'], ids: ids.join(), limit: ORDERS_PER_PAGE };
  const managed =
    ids.length === 0 ? [] : (memberOf(await run('list_managed_orders', asked), 'orders') as unknown[]);
  const byId = new Map(managed.map((order) => [memberOf(order, 'id'), order]));
  const orders = ids.flatMap((id) => byId.get(id) ?? []).slice(start % ORDERS_PER_PAGE);
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
    ...currencyOf(wording),
    count,
    orders: entries,
    ...(end < count && entries.length > 0 ? { cursor: String(end) } : {}),
  };
}

const SPECIAL_DAYS_SHOWN = 10;

/** The days to come matter; a calendar of years does not. */
async function showIntake({ wordingOf }: ToolCall, args: Json, intake: unknown): Promise<Json> {
  const { settings, ...now } = intake as Json;
  const days = (memberOf(settings, 'special_days') ?? []) as readonly { readonly date: string }[];
  const today = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const next = days.filter(({ date }) => date >= today).sort((a, b) => (a.date < b.date ? -1 : 1));
  const shown = {
    ...now,
    settings: { ...(settings as Json), special_days: next.slice(0, SPECIAL_DAYS_SHOWN) },
  };
  return show(shown, await wordingOf(args['store_id'])) as Json;
}

const DAY_MS = 86_400_000;
