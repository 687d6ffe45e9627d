import Type, { type Static } from 'typebox';
import { PLACE_KINDS } from '../access/principal.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, ExternalId, FreeFormMap, MapOf, OneOf, PatchOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { reportError, reportValueError, type Visit } from '../support/error-details.js';
import { isResourceId } from '../support/uuid.js';
import { changedFacts, refuseLargeSums, shownFacts, statedFacts } from './facts.js';
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

export const OrderItems = () => Type.Array(FreeFormMap(), { examples: [ITEMS_EXAMPLE] });

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
  items: OrderItems(),
  ready_by: Datetime(),
  is_read: Type.Boolean(),
  in_pos: Type.Boolean(),
  customer_comments: Type.Optional(Type.String()),
  completed_at: Type.Optional(Datetime()),
};

const Order = Type.Object(orderFields, { $id: 'Order' });

/** Why the store rejected or cancelled an order. */
const REASONS = [
  'out_of_item',
  'too_busy',
  'closing',
  'not_accepted',
  'problem_in_kitchen',
  'other',
] as const;
const Reason = () => OneOf(REASONS, { description: 'Why the store rejected or cancelled it' });
const ReasonText = () => Type.String({ maxLength: 200, description: 'The reason in words' });

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

const OrderPlace = Type.Object(
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
  { $id: 'OrderPlace', description: 'Where the guest ordered it' },
);

export const ManagedOrder = Type.Object(
  {
    ...orderFields,
    external_id: Type.Optional(Type.String()),
    revision: Type.Integer({ minimum: 1, description: 'Starts at 1; each change adds 1' }),
    updated_at: Datetime({ description: 'When it was last changed' }),
    reason: Type.Optional(Reason()),
    reason_text: Type.Optional(ReasonText()),
    number: Type.Optional(OrderNumber()),
    place: Type.Optional(OrderPlace),
    ...shownFacts,
  },
  { $id: 'ManagedOrder' },
);

export const ManagedOrderList = Type.Object(
  {
    orders: Type.Array(ManagedOrder),
    cursor: Type.String({ description: 'Pass it as `cursor` to continue' }),
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

/** What may change only until the order is final. */
export const AMENDED_FIELDS = [
  'items',
  'customer',
  'price',
  'tax',
  'source',
  'references',
  'charges',
  'discounts',
  'tip',
  'delivery',
  'custom',
  'stations_done',
] as const;

export const OrderChange = Type.Object(
  {
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
  },
  { $id: 'OrderChange' },
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
  items: OrderItems(),
  price: Amount([390]),
  tax: Amount([39]),
  ready_by: Datetime(),
  customer_comments: Type.Optional(Type.String()),
  created_at: Type.Optional(Datetime()),
  status: Type.Optional(Status()),
  completed_at: Type.Optional(Datetime()),
  external_id: Type.Optional(ExternalId()),
  ...statedFacts,
};

export const ExpectedTotal = Type.Object(
  { price: Amount([390]), tax: Amount([39]) },
  {
    $id: 'ExpectedTotal',
    description: 'Checks the order against the menu; 409 with a quote if the total differs',
  },
);

export const OrderRequest = withRule(
  Type.Object(
    {
      ...intakeFields,
      ready_by: Type.Optional(
        Datetime({ description: 'A checked order may leave it out and gets the promise' }),
      ),
      expected_total: Type.Optional(ExpectedTotal),
    },
    { $id: 'OrderRequest' },
  ),
  (order, visit, sent) => {
    refuseEarlyCompletion(order, visit, sent);
    refuseLargeSums(order, visit);
  },
);
export type OrderRequest = Static<typeof OrderRequest>;

export const ImportedOrder = withRule(
  Type.Object(
    {
      ...intakeFields,
      store_id: Type.String({ examples: [exampleIds.store] }),
      is_read: Type.Optional(Type.Boolean()),
      in_pos: Type.Optional(Type.Boolean()),
      reason: Type.Optional(Reason()),
      place: Type.Optional(OrderPlace),
      number: Type.Optional(OrderNumber()),
    },
    { $id: 'ImportedOrder' },
  ),
  (order, visit, sent) => {
    refuseEarlyCompletion(order, visit, sent);
    refuseLargeSums(order, visit);
    refuseReasonOfOther(order, visit);
  },
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

export const OrderPatch = withRule(
  PatchOf(
    {
      status: Status(),
      reason: Reason(),
      reason_text: ReasonText(),
      is_read: Type.Boolean(),
      in_pos: Type.Boolean(),
      ready_by: Datetime(),
      customer_comments: Type.Optional(Type.String()),
      items: OrderItems(),
      customer: CustomerRequest,
      price: Amount([390]),
      tax: Amount([39]),
      ...changedFacts,
      expected_revision: Type.Integer({
        minimum: 1,
        description: 'Required with `items`: 409 if the order has another revision by now',
      }),
    },
    { $id: 'OrderPatch' },
  ),
  (patch, visit) => {
    if (!AMENDED_FIELDS.some((field) => patch[field] !== undefined)) refuseReasonOfOther(patch, visit);
    if (patch.items === undefined || patch.expected_revision !== undefined) return;
    visit.path.push('expected_revision');
    reportError(visit, 'missing', 'Field required');
    visit.path.pop();
  },
);
export type OrderPatch = Static<typeof OrderPatch>;

function requireId(id: string, visit: Visit): void {
  if (!isResourceId(id)) reportValueError(visit, 'an id is a UUID in lower case', id);
}

/** A reason belongs to the step that it explains. */
function refuseReasonOfOther(
  { status, reason, reason_text: text }: { status?: string; reason?: string; reason_text?: string },
  visit: Visit,
): void {
  const stated = { reason, reason_text: text };
  if (status === 'REJECTED' || status === 'STORE_CANCELLED') return;
  for (const [field, value] of Object.entries(stated)) {
    if (value === undefined) continue;
    visit.path.push(field);
    reportValueError(
      visit,
      `${field} goes with the status REJECTED or STORE_CANCELLED, or with a change of what was ordered`,
      value,
    );
    visit.path.pop();
  }
}

function refuseEarlyCompletion(
  order: { status?: (typeof ORDER_STATUSES)[number]; completed_at?: string },
  visit: Visit,
  sent: unknown,
): void {
  const { status = 'PENDING', completed_at: completedAt } = order;
  if (completedAt === undefined || isFinal(status)) return;
  visit.path.push('completed_at');
  const asSent = (sent as typeof order).completed_at;
  reportValueError(visit, `an order that is ${status} cannot have completed_at`, asSent);
  visit.path.pop();
}
