import { Type } from '../support/shape/type.js';
import { PLACE_KINDS } from '../access/principal.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, FreeFormMap, MapOf, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { reportValueError, type Visit } from '../support/error-details.js';
import { isResourceId } from '../support/uuid.js';
import { shownFacts } from './fact-shapes.js';
import { AMENDED_FIELDS, ORDER_STATUSES } from './status.js';

/** Amounts are in the minor unit of the store's currency. */
export const Amount = (examples: readonly number[]) => Type.Integer({ minimum: 0, examples });
export const Status = () => OneOf(ORDER_STATUSES, { examples: ['PENDING'] });

export const ITEMS_EXAMPLE = [
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

export const OrderItems = () => Type.Array(FreeFormMap(), { examples: [ITEMS_EXAMPLE] });

const Customer = NamedShape('Customer', { name: Type.String(), phone: Type.String() });

const StorePartialInfo = NamedShape('StorePartialInfo', {
  created_at: Datetime(),
  id: Type.String({ examples: [exampleIds.store] }),
  name: MapOf(MapOf(Type.String()), { examples: [{ translations: { en: 'Corner Café' } }] }),
  external_id: Type.Optional(Type.String()),
});

const orderFields = {
  created_at: Datetime(),
  id: Type.String({ examples: [exampleIds.order] }),
  store: StorePartialInfo,
  customer: Customer,
  status: Status(),
  price: Amount([390]),
  tax: Amount([39]),
  items: OrderItems(),
  ready_by: Datetime(),
  is_read: Type.Boolean(),
  in_pos: Type.Boolean(),
  customer_comments: Type.Optional(Type.String()),
  completed_at: Type.Optional(Datetime()),
};

const Order = Type.Object(orderFields, { $id: 'Order' });

const REASONS = [
  'out_of_item',
  'too_busy',
  'closing',
  'not_accepted',
  'problem_in_kitchen',
  'other',
] as const;
export const Reason = () => OneOf(REASONS, { description: 'Why the store rejected or cancelled it' });
export const ReasonText = () => Type.String({ maxLength: 200, description: 'The reason in words' });

/** What changes about an order while somebody waits for it. */
export const OrderProgress = Type.Object({
  status: Status(),
  ready_by: Datetime(),
  reason: Type.Optional(Reason()),
  reason_text: Type.Optional(ReasonText()),
});

export const OrderNumber = () =>
  Type.Integer({
    minimum: 1,
    maximum: 999,
    description: 'What the store calls out. Begins with 1 at 06:00 on the clock of the store, and after 999',
    examples: [42],
  });

export const OrderPlace = NamedShape(
  'OrderPlace',
  {
    id: withRule(Type.String({ examples: [exampleIds.place] }), requireId),
    label: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What it is called now',
      examples: ['Table 7'],
    }),
    kind: OneOf(PLACE_KINDS),
  },
  { description: 'Where the guest ordered it' },
);

export const ManagedOrder = NamedShape('ManagedOrder', {
  ...orderFields,
  external_id: Type.Optional(Type.String()),
  revision: Type.Integer({ minimum: 1, description: 'Starts at 1; each change adds 1' }),
  updated_at: Datetime({ description: 'When it was last changed' }),
  reason: Type.Optional(Reason()),
  reason_text: Type.Optional(ReasonText()),
  number: Type.Optional(OrderNumber()),
  place: Type.Optional(OrderPlace),
  ...shownFacts,
});

export const ManagedOrderList = NamedShape('ManagedOrderList', {
  orders: Type.Array(ManagedOrder),
  cursor: Type.String({ description: 'Pass it as `cursor` to continue' }),
  has_more: Type.Boolean(),
});

export const OrderDetail = NamedShape('OrderDetail', {
  ...orderFields,
  result_code: Type.String(),
  result_message: Type.String(),
});

export const OrderList = NamedShape('OrderList', {
  page_index: Type.Integer(),
  page_size: Type.Integer(),
  count: Type.Integer(),
  result_code: Type.Optional(Type.String({ default: '000000' })),
  result_message: Type.Optional(Type.String({ default: 'Success' })),
  order_result_list: Type.Optional(Type.Array(Order)),
});

export const OrderChange = NamedShape('OrderChange', {
  time: Datetime(),
  key_id: Type.Optional(Type.String({ description: 'Absent for what the service did by the clock' })),
  via: Type.Optional(OneOf(['mcp'], { description: 'An assistant made the change' })),
  field: OneOf([
    'checked_menu_version',
    'status',
    'is_read',
    'in_pos',
    'ready_by',
    'customer_comments',
    'reason',
    'reason_text',
    ...AMENDED_FIELDS,
    'payments',
  ]),
  from: Type.Optional(Type.Unknown({ description: 'As the order showed it' })),
  to: Type.Optional(
    Type.Unknown({
      description:
        'As the order shows it since; the version of the menu that it was checked against; the payment that was added',
    }),
  ),
});

function requireId(id: string, visit: Visit): void {
  if (!isResourceId(id)) reportValueError(visit, 'an id is a UUID in lower case', id);
}
