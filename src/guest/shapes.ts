import { Type, type Static } from '../support/shape/type.js';
import { PLACE_KINDS } from '../access/principal.js';
import { Method, shownFacts } from '../orders/fact-shapes.js';
import { ManagedOrder, OrderItems, OrderNumber, OrderProgress } from '../orders/shapes.js';
import { ExpectedTotal } from '../orders/request-shapes.js';
import { Intake } from '../pace/shapes.js';
import { QuoteLineRequest } from '../quotes/shapes.js';
import {
  Datetime,
  ExternalId,
  MultilingualText,
  NamedShape,
  OneOf,
  PatchOf,
} from '../support/shape/common-shapes.js';

/** Places on the manage side. */

const Label = () =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What guests and staff call it',
    examples: ['Table 7'],
  });
const Kind = () => OneOf(PLACE_KINDS, { examples: ['table'] });
const Status = () =>
  OneOf(['active', 'disabled'], {
    description: 'Nobody can order at a disabled place',
    examples: ['active'],
  });
const CODE = '4mzxk2pfq7hdtc3ybw5n6rjage';

const placeFields = {
  id: Type.String(),
  label: Label(),
  kind: Kind(),
  external_id: Type.Optional(Type.String()),
  code: Type.String({ description: 'Stands for the place in the address of its page', examples: [CODE] }),
  url: Type.String({
    description: 'The page of the place, for its QR code',
    examples: [`https://orders.example/order/${CODE}`],
  }),
  status: Status(),
  created_at: Datetime(),
};

export const GuestPlace = Type.Object(placeFields, { $id: 'Place' });

export const ListedPlace = NamedShape('ListedPlace', {
  ...placeFields,
  due: Type.Integer({ description: 'What its guests owe: the total of its bill', examples: [2450] }),
});

export const PlaceCreate = NamedShape('PlaceCreate', {
  label: Label(),
  kind: Kind(),
  external_id: Type.Optional(ExternalId({ examples: ['T7'] })),
});
export type PlaceCreate = Static<typeof PlaceCreate>;

export const PlacePatch = PatchOf({ label: Label(), status: Status() }, { $id: 'PlacePatch' });

const amount = () => Type.Integer({ examples: [2450] });

export const Bill = NamedShape('Bill', {
  orders: Type.Array(ManagedOrder),
  price: amount(),
  tax: amount(),
  tip: amount(),
  paid: amount(),
  due: Type.Integer({ description: 'price + tax + tip - paid', examples: [2450] }),
});

export const BillConflict = NamedShape('BillConflict', { detail: Type.String(), bill: Bill });

export const SettleRequest = NamedShape('SettleRequest', {
  method: Method(),
  expected_due: Type.Integer({ description: 'What the guests were told', examples: [2450] }),
});

/** What guests see and send. */

export const CodeParams = Type.Object({
  code: Type.String({ description: 'The code of the place', examples: [CODE] }),
});
export const TokenParams = Type.Object({
  token: Type.String({
    description: 'The token of the order, from the response that created it',
    examples: ['AZgMblwAcACAAAAAAAAAAQ7hK2mXcQ9vT4sJrLw8Zfk'],
  }),
});

const { settings: _settings, revision: _revision, slots: _slots, ...intake } = Intake.properties;
const Wanted = () => OneOf(['required', 'optional', 'none']);

export const PlaceInfo = NamedShape('PlaceInfo', {
  store: Type.Object({
    name: MultilingualText,
    location_name: Type.Optional(Type.String()),
    timezone: Type.String({ examples: ['Europe/Madrid'] }),
    currency: Type.Optional(Type.String({ examples: ['EUR'] })),
    address: Type.Optional(
      Type.String({ description: 'Where to pick the order up', examples: ['Calle Mayor 1, 28013 Madrid'] }),
    ),
    phone: Type.Optional(Type.String({ examples: ['+34 910 000 000'] })),
  }),
  place: Type.Object({ label: Label(), kind: Kind() }),
  intake: Type.Object(intake),
  languages: Type.Array(Type.String(), {
    description: 'The languages of the menu, those of the store first',
    examples: [['es', 'en']],
  }),
  wants: Type.Object(
    { name: Wanted(), phone: Wanted() },
    { description: 'What guests are asked for when they order' },
  ),
  welcome: Type.Optional(MultilingualText),
});
export type PlaceInfo = Static<typeof PlaceInfo>;

const MOST_LINES = 50;
const MOST_UNITS = 99;
const LONGEST_NOTE = 500;

const { external_id, modifiers } = QuoteLineRequest.properties;

const Line = NamedShape('GuestLine', {
  external_id,
  quantity: Type.Integer({ minimum: 1, maximum: MOST_UNITS, examples: [1] }),
  modifiers,
  comments: Type.Optional(
    Type.String({ maxLength: LONGEST_NOTE, description: 'A note for the kitchen', examples: ['No sugar'] }),
  ),
});
const ReadyBy = () =>
  Type.Optional(Datetime({ description: 'When it is to be ready; promised if left out' }));

export const GuestQuoteRequest = NamedShape('GuestQuoteRequest', {
  items: Type.Array(Line, { maxItems: MOST_LINES }),
  ready_by: ReadyBy(),
});

export const GuestOrderRequest = NamedShape('GuestOrderRequest', {
  items: Type.Array(Line, { minItems: 1, maxItems: MOST_LINES }),
  customer: Type.Optional(
    NamedShape(
      'GuestCustomer',
      {
        name: Type.Optional(Type.String({ maxLength: 100, examples: ['Ana'] })),
        phone: Type.Optional(Type.String({ maxLength: 40 })),
      },
      { description: 'What the place wants; anything else is ignored' },
    ),
  ),
  customer_comments: Type.Optional(Type.String({ maxLength: LONGEST_NOTE })),
  ready_by: ReadyBy(),
  expected_total: ExpectedTotal,
});
export type GuestOrderRequest = Static<typeof GuestOrderRequest>;

const totals = { price: orderTotal(), tax: orderTotal(), due: shownFacts.due };
const progress = { ...OrderProgress.properties, ...totals };

export const GuestOrder = NamedShape('GuestOrder', {
  token: Type.String({ description: 'Shows and cancels the order. Whoever has it can do both' }),
  number: Type.Optional(OrderNumber()),
  ...progress,
  service: shownFacts.service,
  items: OrderItems(),
  original: Type.Optional(
    Type.Object(
      { price: orderTotal(), tax: orderTotal(), items: OrderItems() },
      { description: 'As it was ordered, where the store has changed it since' },
    ),
  ),
});
export type GuestOrder = Static<typeof GuestOrder>;

function orderTotal() {
  return Type.Integer({ minimum: 0 });
}

/** A message of an order's stream. */
export const GuestOrderProgress = Type.Object(progress, { $id: 'GuestOrderProgress' });
