import Type, { type Static } from 'typebox';
import { exampleIds } from '../example-ids.js';
import { Datetime, ExternalId, FreeFormMap, MapOf, OneOf, PatchOf } from '../shape/common-shapes.js';
import { reportValueError, type Visit } from '../shape/report-fault.js';
import { withRule } from '../shape/compile-shape.js';
import { isFinal, ORDER_STATUSES } from './status.js';

/** Amounts are in the minor unit of the store's currency. */
const Amount = (examples: readonly number[]) => Type.Integer({ minimum: 0, examples });
const Status = () => OneOf(ORDER_STATUSES, { examples: ['PENDING'] });

const ITEMS_EXAMPLE = [
  {
    external_id: 'flat-white',
    name: 'Flat white',
    quantity: 1,
    price: 350,
    tax: 35,
    modifiers: [
      {
        group_external_id: 'milk',
        external_id: 'oat',
        name: 'Oat milk',
        quantity: 1,
        price_change: 40,
        tax_change: 4,
      },
    ],
  },
];

const Items = () => Type.Array(FreeFormMap(), { examples: [ITEMS_EXAMPLE] });

/** Answers */

const Customer = Type.Object({ name: Type.String(), phone: Type.String() }, { $id: 'Customer' });

const StorePartialInfo = Type.Object(
  {
    created_at: Datetime(),
    id: Type.String({ examples: [exampleIds.store] }),
    name: MapOf(MapOf(Type.String()), { examples: [{ translations: { en: 'Corner Café' } }] }),
    external_id: Type.Optional(Type.String()),
  },
  { $id: 'StorePartialInfo' },
);

const orderFields = {
  created_at: Datetime(),
  id: Type.String({ examples: [exampleIds.order] }),
  store: StorePartialInfo,
  customer: Customer,
  status: Status(),
  price: Amount([390]),
  tax: Amount([39]),
  items: Items(),
  ready_by: Datetime(),
  is_read: Type.Boolean(),
  in_pos: Type.Boolean(),
  customer_comments: Type.Optional(Type.String()),
  completed_at: Type.Optional(Datetime()),
};

export const Order = Type.Object(orderFields, { $id: 'Order' });

export const ManagedOrder = Type.Object(
  {
    ...orderFields,
    external_id: Type.Optional(Type.String()),
    revision: Type.Integer({ minimum: 1, description: '1 at intake, one more with each change' }),
    updated_at: Datetime({ description: 'When it was last changed' }),
  },
  { $id: 'ManagedOrder' },
);

export const ManagedOrderList = Type.Object(
  {
    orders: Type.Array(ManagedOrder),
    cursor: Type.String({ description: 'Where to go on' }),
    has_more: Type.Boolean(),
  },
  { $id: 'ManagedOrderList' },
);

export const OrderDetail = Type.Object(
  { ...orderFields, result_code: Type.String(), result_message: Type.String() },
  { $id: 'OrderDetail' },
);

export const OrderList = Type.Object(
  {
    page_index: Type.Integer(),
    page_size: Type.Integer(),
    count: Type.Integer(),
    result_code: Type.Optional(Type.String({ default: '000000' })),
    result_message: Type.Optional(Type.String({ default: 'Success' })),
    order_result_list: Type.Optional(Type.Array(Order)),
  },
  { $id: 'OrderList' },
);

export const OrderChange = Type.Object(
  {
    time: Datetime(),
    key_id: Type.String(),
    field: OneOf(['checked_menu_version', 'status', 'is_read', 'in_pos', 'ready_by', 'customer_comments']),
    from: Type.Optional(Type.Unsafe<string | boolean>({ type: ['string', 'boolean'] })),
    to: Type.Optional(
      Type.Unsafe<string | boolean | number>({
        type: ['string', 'boolean', 'integer'],
        description:
          'Of checked_menu_version: the version of the menu that the order was checked against when it came',
      }),
    ),
  },
  { $id: 'OrderChange' },
);

const ImportRefusal = Type.Object(
  {
    line: Type.Integer({ description: 'Lines count from 1.' }),
    detail: Type.Unsafe<unknown>({ description: 'What a single intake of the line would have answered.' }),
  },
  { $id: 'ImportRefusal' },
);

export const ImportReport = Type.Object(
  {
    created: Type.Integer(),
    existing: Type.Integer({ description: 'Lines whose external_id the store already had.' }),
    refused: Type.Integer(),
    errors: Type.Array(ImportRefusal, { description: 'The first hundred refusals.' }),
  },
  { $id: 'ImportReport' },
);

/** Requests */

const CustomerRequest = Type.Object(
  {
    name: Type.String({ examples: ['Łukasz Nowak'] }),
    phone: Type.String({ examples: ['+48 22 555 01 23'] }),
  },
  { $id: 'CustomerRequest' },
);

const intakeFields = {
  customer: CustomerRequest,
  items: Items(),
  price: Amount([390]),
  tax: Amount([39]),
  ready_by: Datetime(),
  customer_comments: Type.Optional(Type.String()),
  created_at: Type.Optional(Datetime()),
  status: Type.Optional(Status()),
  completed_at: Type.Optional(Datetime()),
  external_id: Type.Optional(ExternalId()),
};

const ExpectedTotal = Type.Object(
  { price: Amount([390]), tax: Amount([39]) },
  {
    $id: 'ExpectedTotal',
    description: 'Has the order checked against the menu; 409 with a quote where it comes to another total',
  },
);

export const OrderRequest = withRule(
  Type.Object({ ...intakeFields, expected_total: Type.Optional(ExpectedTotal) }, { $id: 'OrderRequest' }),
  refuseEarlyCompletion,
);
export type OrderRequest = Static<typeof OrderRequest>;

export const ImportedOrder = withRule(
  Type.Object(
    {
      ...intakeFields,
      store_id: Type.String({ examples: [exampleIds.store] }),
      is_read: Type.Optional(Type.Boolean()),
      in_pos: Type.Optional(Type.Boolean()),
    },
    { $id: 'ImportedOrder' },
  ),
  refuseEarlyCompletion,
);
export type ImportedOrder = Static<typeof ImportedOrder>;

/** An order as a till sends it. */
export const orderExample = {
  customer: { name: 'Łukasz Nowak', phone: '+48 22 555 01 23' },
  items: ITEMS_EXAMPLE,
  price: 390,
  tax: 39,
  ready_by: '2027-01-01T12:30:00Z',
  customer_comments: 'No sugar, please',
} satisfies OrderRequest;

export const OrderPatch = PatchOf(
  {
    status: Status(),
    is_read: Type.Boolean(),
    in_pos: Type.Boolean(),
    ready_by: Datetime(),
    customer_comments: Type.Optional(Type.String()),
  },
  { $id: 'OrderPatch' },
);
export type OrderPatch = Static<typeof OrderPatch>;

function refuseEarlyCompletion(
  order: { status?: (typeof ORDER_STATUSES)[number]; completed_at?: string },
  visit: Visit,
  sent: unknown,
): void {
  const { status = 'PENDING', completed_at: completedAt } = order;
  if (completedAt === undefined || isFinal(status)) return;
  visit.path.push('completed_at');
  const asSent = (sent as typeof order).completed_at;
  reportValueError(visit, `an order that is ${status} is not completed`, asSent);
  visit.path.pop();
}
