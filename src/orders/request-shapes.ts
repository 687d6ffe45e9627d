import { Type, type Static } from '../support/shape/type.js';
import { memberOf } from '../support/maps.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, ExternalId, NamedShape, PatchOf } from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { inside, reportError, reportValueError, type Visit } from '../support/error-details.js';
import { refuseLargeSums } from './facts.js';
import { changedFacts, importedFacts, statedFacts } from './fact-shapes.js';
import {
  Amount,
  ITEMS_EXAMPLE,
  OrderItems,
  OrderNumber,
  OrderPlace,
  Reason,
  ReasonText,
  Status,
} from './shapes.js';
import { AMENDED_FIELDS, isFinal, type OrderStatus } from './status.js';

const CustomerRequest = NamedShape('CustomerRequest', {
  name: Type.String({ examples: ['Łukasz Nowak'] }),
  phone: Type.String({ examples: ['+48 22 555 01 23'] }),
});

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

export const ExpectedTotal = NamedShape(
  'ExpectedTotal',
  { price: Amount([390]), tax: Amount([39]) },
  { description: 'Checks the order against the menu; 409 with a quote if the total differs' },
);

export const OrderRequest = withRule(
  NamedShape('OrderRequest', {
    ...intakeFields,
    ready_by: Type.Optional(
      Datetime({ description: 'A checked order may leave it out and gets the promise' }),
    ),
    expected_total: Type.Optional(ExpectedTotal),
  }),
  checkOrder,
);
export type OrderRequest = Static<typeof OrderRequest>;

export const ImportedOrder = withRule(
  NamedShape('ImportedOrder', {
    ...intakeFields,
    ...importedFacts,
    store_id: Type.String({ examples: [exampleIds.store] }),
    is_read: Type.Optional(Type.Boolean()),
    in_pos: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Reason()),
    reason_text: Type.Optional(ReasonText()),
    place: Type.Optional(OrderPlace),
    number: Type.Optional(OrderNumber()),
  }),
  checkOrder,
);
export type ImportedOrder = Static<typeof ImportedOrder>;

/** An order that is checked against the menu has lines. */
export const CheckedLines = Type.Object({ items: Type.Array(Type.Object({}), { minItems: 1 }) });

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
      reason: Type.Optional(Reason()),
      reason_text: Type.Optional(ReasonText()),
      is_read: Type.Boolean(),
      in_pos: Type.Boolean(),
      ready_by: Datetime(),
      customer_comments: Type.Optional(Type.String()),
      items: OrderItems(),
      customer: CustomerRequest,
      price: Amount([390]),
      tax: Amount([39]),
      ...changedFacts,
      expected_revision: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Required with `items`: 409 if the order has another revision by now',
        }),
      ),
    },
    { $id: 'OrderPatch' },
  ),
  (patch, visit) => {
    if (!AMENDED_FIELDS.some((field) => patch[field] !== undefined)) refuseReasonOfOther(patch, visit);
    if (patch.items === undefined || (patch.expected_revision ?? undefined) !== undefined) return;
    inside(visit, 'expected_revision', () => reportError(visit, 'missing', 'Field required'));
  },
);
export type OrderPatch = Static<typeof OrderPatch>;

/** A reason belongs to the step that it explains. */
function refuseReasonOfOther(
  { status, reason, reason_text: text }: Partial<Record<'status' | 'reason' | 'reason_text', string | null>>,
  visit: Visit,
): void {
  const stated = { reason, reason_text: text };
  if (status === 'REJECTED' || status === 'STORE_CANCELLED') return;
  for (const [field, value] of Object.entries(stated)) {
    if ((value ?? undefined) === undefined) continue;
    const reason = `${field} goes with the status REJECTED or STORE_CANCELLED, or with a change of what was ordered`;
    inside(visit, field, () => reportValueError(visit, reason, value));
  }
}

/** An order that is not final has no time of completion, and no sum is too large. */
function checkOrder(
  order: { status?: OrderStatus; completed_at?: string } & Parameters<typeof refuseLargeSums>[0],
  visit: Visit,
  sent: unknown,
): void {
  const { status = 'PENDING', completed_at: completedAt } = order;
  if (completedAt !== undefined && !isFinal(status)) {
    const reason = `an order that is ${status} cannot have completed_at`;
    const asSent = memberOf(sent, 'completed_at');
    inside(visit, 'completed_at', () => reportValueError(visit, reason, asSent));
  }
  refuseLargeSums(order, visit);
}
