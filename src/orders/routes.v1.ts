import { Type, type Static } from '../support/shape/type.js';
import { jsonText } from '../http/response.js';
import { route, storeRoute, type Route } from '../http/route.js';
import type { Database } from '../postgres/database.js';
import { isAfter, parseDatetime, type Instant } from '../support/datetime.js';
import { SearchTooBroad } from '../support/errors.js';
import { exampleIds } from '../support/example-ids.js';
import { inside, reportValueError, ValidationFailed, type Visit } from '../support/error-details.js';
import { Datetime, Defaulted, OneOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { StoreParams } from '../tenants/routes.v1.js';
import { storeOfOrder } from './id.js';
import { expandLargeOrders, type OrderFilter } from './list/by-time.sql.js';
import { createOrderLister } from './list/list.sql.js';
import { orderJson, storeJson } from './json.sql.js';
import type { Orders } from './orders.js';
import { findOrder } from './read.sql.js';
import { foldName, phoneDigits } from './list/search-text.js';
import { OrderDetail, OrderList } from './shapes.js';
import { ORDER_STATUSES } from './status.js';

const OrderParams = Type.Object({
  order_service_id: Type.String({ description: 'The id of the order', examples: [exampleIds.order] }),
});

const OrderQuery = withRule(
  Type.Object({
    start_time: Type.Optional(
      Datetime({ description: 'Orders created at or after this time', examples: ['2026-01-01T00:00:00Z'] }),
    ),
    end_time: Type.Optional(
      Datetime({ description: 'Orders created before this time', examples: ['2036-01-01T00:00:00Z'] }),
    ),
    customer_name: Type.Optional(
      Type.String({
        description: 'Part of the name, ignoring case and accents',
        examples: ['lukasz'],
      }),
    ),
    phone_number: Type.Optional(
      withRule(
        Type.String({
          description: 'Consecutive digits of the phone number',
          examples: ['5550123'],
        }),
        (phone, visit) => {
          if (phoneDigits(phone) === '')
            reportValueError(visit, 'phone_number should have at least one digit', phone);
        },
      ),
    ),
    status: Type.Optional(
      OneOf(ORDER_STATUSES, { description: 'Only orders with this status', examples: ['FULFILLED'] }),
    ),
    page_index: Defaulted(
      Type.Integer({ minimum: 1, default: 1, description: 'Page number, starting at 1', examples: [1] }),
    ),
    page_size: Defaulted(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
        description: 'Orders per page, at most 100',
        examples: [20],
      }),
    ),
  }),
  refuseEndBeforeStart,
);

const SUCCESS = '"result_code":"000000","result_message":"Success"';

export interface OrderContext {
  readonly db: Database;
  readonly orders: Pick<Orders, 'read'>;
}

export function orderRoutes(context: OrderContext): Route[] {
  const { orders } = context;
  const listOrders = createOrderLister(context.db);
  return [
    storeRoute('GET', '/v1/stores/{store_service_id}/orders/', 'list_orders', {
      tag: 'Orders',
      summary: 'List orders of a store',
      description:
        'Newest first. Filters combine with AND. `count` is the exact number of matching orders on all pages.',
      permission: 'kitchen:read',
      params: StoreParams,
      query: OrderQuery,
      responses: [{ status: 200, description: 'One page of matching orders', schema: OrderList }],
      handler: async ({ store, query, queryText, takeStreamPermit }) => {
        const { page_index: index, page_size: size } = query;
        const filter = toOrderFilter(query, queryText);
        const page = { offset: (index - 1) * size, size };
        const { count, orders: found } = await listOrders(store, filter, page).catch((error: unknown) => {
          throw placeInQuery(error);
        });
        const start = `{"page_index":${index},"page_size":${size},"count":${count},${SUCCESS},"order_result_list":[`;
        const storeText = storeJson(store);
        const texts = found.flatMap(({ shown }) => (shown === undefined ? [] : orderJson(shown, storeText)));
        if (texts.length === found.length) return jsonText(`${start}${texts.join()}]}`);
        await takeStreamPermit();
        const chunks = expandLargeOrders(found, storeText, (id) => orders.read(store, id));
        return jsonText(between(start, chunks, ']}'));
      },
    }),
    route('GET', '/v1/orders/{order_service_id}', 'get_order', {
      tag: 'Orders',
      summary: 'Get order by identifier',
      description: 'The order as it is now. Reading it changes nothing.',
      permission: 'kitchen:read',
      params: OrderParams,
      storeOfPath: storeOfOrder('order_service_id'),
      responses: [{ status: 200, description: 'The order', schema: OrderDetail }],
      findResource: (call) => findOrder(orders.read, call, call.params.order_service_id),
      handler: ({ resource }) => jsonText(`${resource.slice(0, -1)},${SUCCESS}}`),
    }),
  ];
}

async function* between(start: string, chunks: AsyncIterable<string>, end: string): AsyncGenerator<string> {
  yield start;
  yield* chunks;
  yield end;
}

function refuseEndBeforeStart(_: unknown, visit: Visit, sent: unknown): void {
  const raw = sent as Readonly<Record<string, string>>;
  const [from, to] = [instantOf(raw['start_time']), instantOf(raw['end_time'])];
  if (from === undefined || to === undefined || !isAfter(from, to)) return;
  inside(visit, 'end_time', () => reportValueError(visit, 'end_time is before start_time'));
}

/** `raw` still has the fractions of a millisecond that the checked query has lost. */
function toOrderFilter(query: Static<typeof OrderQuery>, raw: Readonly<Record<string, string>>): OrderFilter {
  const from = query.start_time === undefined ? undefined : instantOf(raw['start_time']);
  const to = query.end_time === undefined ? undefined : instantOf(raw['end_time']);
  return {
    from: boundOf(from),
    to: boundOf(to),
    status: query.status,
    name: foldName(query.customer_name ?? ''),
    digits: phoneDigits(query.phone_number ?? ''),
  };
}

function instantOf(given: string | undefined): Instant | undefined {
  const parsed = parseDatetime(given ?? '');
  return parsed.ok ? parsed.instant : undefined;
}

/** Orders are kept to the millisecond, so one is at or after a finer moment when it is at or after the next millisecond. */
function boundOf(instant: Instant | undefined): number | undefined {
  return instant && (instant.cut === '' ? instant.ms : instant.ms + 1);
}

/** Gives a search that was too broad its place in the query; anything else stays as it is. */
export function placeInQuery(error: unknown): unknown {
  if (!(error instanceof SearchTooBroad)) return error;
  const parameter = error.by === 'name' ? 'customer_name' : 'phone_number';
  return new ValidationFailed([{ loc: ['query', parameter], msg: error.message, type: 'query_too_broad' }]);
}
