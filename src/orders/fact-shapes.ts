import { Type, type Static } from '../support/shape/type.js';
import { amountFields } from '../quotes/amounts.js';
import { reportValueError, type Visit } from '../support/error-details.js';
import {
  Datetime,
  ExternalId,
  FreeFormMap,
  MapOf,
  NamedShape,
  OneOf,
} from '../support/shape/common-shapes.js';
import { withRule } from '../support/shape/compile-shape.js';
import { isResourceId } from '../support/uuid.js';

/** What an order says beside its lines. All of it is optional, and an order without any of it stores nothing for it. */

export const SERVICES = ['dine_in', 'pickup', 'delivery'] as const;
export const METHODS = ['cash', 'card', 'online', 'voucher', 'other'] as const;
const STATES = ['requested', 'assigned', 'at_store', 'picked_up', 'delivered', 'failed'] as const;
export type PaymentMethod = (typeof METHODS)[number];

export const MOST_PAYMENTS = 50;
const MOST_REFERENCES = 10;
const MOST_CUSTOM_BYTES = 16_384;

const Name = (example: string) => Type.String({ minLength: 1, maxLength: 200, examples: [example] });
const Text = (maxLength: number) => Type.String({ maxLength });
export const Method = () => OneOf(METHODS, { examples: ['card'] });

const paymentFields = {
  method: Method(),
  amount: Type.Integer({ description: 'A refund is negative', examples: [429] }),
  reference: Type.Optional(Text(255)),
  external_id: Type.Optional(ExternalId({ description: 'Adding the same one again changes nothing' })),
};

const Payment = NamedShape(
  'Payment',
  { id: Type.String(), ...paymentFields, at: Datetime() },
  { description: 'Money that was paid elsewhere. The service records it and moves none' },
);
export type Payment = Static<typeof Payment>;

const PaymentFact = NamedShape('PaymentFact', {
  ...paymentFields,
  id: Type.Optional(withRule(Type.String(), refuseOtherId)),
  at: Type.Optional(Datetime({ description: 'Default: now' })),
});

export const PaymentRequest = Type.Object(paymentFields, { $id: 'PaymentRequest' });
export type PaymentRequest = Static<typeof PaymentRequest>;

export const Delivery = NamedShape('Delivery', {
  address: NamedShape('DeliveryAddress', {
    line_1: Type.String({ minLength: 1, maxLength: 500, examples: ['Calle Mayor 1'] }),
    line_2: Type.Optional(Text(500)),
    postal_code: Type.Optional(Text(40)),
    city: Type.Optional(Text(200)),
    country: Type.Optional(Text(100)),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  }),
  notes: Type.Optional(Text(1_000)),
  courier: Type.Optional(
    NamedShape('Courier', {
      name: Type.Optional(Text(200)),
      phone: Type.Optional(Text(100)),
      tracking_url: Type.Optional(withRule(Type.String({ maxLength: 2_000 }), refuseOtherLink)),
    }),
  ),
  state: Type.Optional(OneOf(STATES)),
});

const SourceRequest = NamedShape('OrderSourceRequest', {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Default: the label of the key' }),
  ),
  reference: Type.Optional(Text(255)),
});

const Source = NamedShape(
  'OrderSource',
  { name: Name('Uber Eats'), reference: Type.Optional(Text(255)) },
  { description: 'Where the order comes from, and its number there' },
);

export const References = () =>
  withRule(
    MapOf(Text(255), {
      maxProperties: MOST_REFERENCES,
      propertyNames: { minLength: 1, maxLength: 40 },
      description: 'What others call the order, such as the check number of a till',
      examples: [{ till: '146' }],
    }),
    refuseColons,
  );

const Custom = () =>
  withRule(FreeFormMap({ description: 'Any JSON object up to 16 KiB, returned unchanged' }), refuseLarge);

const common = {
  service: Type.Optional(OneOf(SERVICES)),
  references: Type.Optional(References()),
  ...amountFields,
  delivery: Type.Optional(Delivery),
  custom: Type.Optional(Custom()),
};

const StationsDone = () =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description: 'The stations (prep_types) whose lines are done',
      examples: [['bar']],
    }),
  );

/** As an order shows them. */
export const shownFacts = {
  ...common,
  stations_done: StationsDone(),
  source: Type.Optional(Source),
  payments: Type.Optional(Type.Array(Payment)),
  due: Type.Integer({
    description: 'price + tax + tip - payments. Negative: a refund is due',
    examples: [429],
  }),
};

/** As an intake takes them. */
export const statedFacts = {
  ...common,
  source: Type.Optional(SourceRequest),
  payments: Type.Optional(
    withRule(Type.Array(PaymentFact, { maxItems: MOST_PAYMENTS }), refuseRepeatedPayments),
  ),
};

/** As an import takes them. */
export const importedFacts = { ...statedFacts, stations_done: StationsDone() };

/** As a PATCH takes them: references and delivery are merged, then checked as a whole. */
export const changedFacts = {
  source: Type.Optional(SourceRequest),
  references: Type.Optional(FreeFormMap({ description: 'Merged; null removes one' })),
  ...amountFields,
  delivery: Type.Optional(FreeFormMap({ description: 'Merged; null removes a member, or all of it' })),
  custom: common.custom,
  stations_done: StationsDone(),
};

function refuseRepeatedPayments(payments: readonly Static<typeof PaymentFact>[], visit: Visit): void {
  const seen = new Set<string>();
  for (const [i, { external_id: externalId }] of payments.entries()) {
    if (externalId === undefined || seen.size < seen.add(externalId).size) continue;
    visit.path.push(i, 'external_id');
    reportValueError(visit, 'an earlier payment has this external_id', externalId);
    visit.path.length -= 2;
  }
}

function refuseOtherId(id: string, visit: Visit): void {
  if (!isResourceId(id)) reportValueError(visit, 'an id is a UUID in lower case', id);
}

function refuseOtherLink(link: string, visit: Visit): void {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    reportValueError(visit, 'a link begins with https:// and has no credentials', link);
}

/** `reference=till:146` names one up to the first colon. */
function refuseColons(references: Readonly<Record<string, unknown>>, visit: Visit): void {
  for (const name of Object.keys(references))
    if (name.includes(':')) reportValueError(visit, 'a name has no colon', name);
}

function refuseLarge(custom: object, visit: Visit): void {
  if (Buffer.byteLength(JSON.stringify(custom)) > MOST_CUSTOM_BYTES)
    reportValueError(visit, `at most ${MOST_CUSTOM_BYTES} bytes of JSON`);
}
