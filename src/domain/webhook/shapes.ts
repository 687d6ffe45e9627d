import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../event/event.js';
import { exampleIds } from '../example-ids.js';
import { Datetime, OneOf, PatchOf } from '../shape/common-shapes.js';
import { DISABLED_REASONS } from './endpoint.js';
import { SEND_ERRORS } from './send-outcome.js';

const Url = () =>
  Type.String({
    minLength: 1,
    examples: ['https://till.example/hooks/comanda'],
    description: 'http or https, without user name and password. It is never redirected.',
  });
const StoreIds = () =>
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 1_000,
    description: 'Absent: every store, also those to come',
  });
const Types = () =>
  Type.Array(OneOf(EVENT_TYPES), { minItems: 1, maxItems: 20, description: 'Absent: every type' });
const Label = () => Type.String({ minLength: 1, examples: ['Till 1'] });
const IncludeOrder = () =>
  Type.Boolean({ description: 'Whether events of an order carry the order as it is when they are sent' });
const SkipOwn = () =>
  Type.Boolean({
    description:
      'Whether changes made with the key that made the endpoint, or one that replaced it, are left out',
  });

export const WebhookCreate = Type.Object(
  {
    url: Url(),
    merchant_id: Type.Optional(
      Type.String({
        minLength: 1,
        examples: [exampleIds.merchant],
        description: 'Needed with an operator key',
      }),
    ),
    store_ids: Type.Optional(StoreIds()),
    types: Type.Optional(Types()),
    label: Type.Optional(Label()),
    include_order: Type.Optional(IncludeOrder()),
    skip_own: Type.Optional(SkipOwn()),
    from: Type.Optional(
      OneOf(['now', 'start'], {
        description: 'The first event: the next one (now), or the oldest that is kept',
      }),
    ),
  },
  { $id: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = PatchOf(
  {
    url: Url(),
    store_ids: Type.Optional(StoreIds()),
    types: Type.Optional(Types()),
    label: Type.Optional(Label()),
    include_order: Type.Optional(IncludeOrder()),
    skip_own: Type.Optional(SkipOwn()),
    status: OneOf(['active', 'disabled']),
  },
  { $id: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookReplay = Type.Object(
  {
    store_id: Type.String({ minLength: 1, examples: [exampleIds.store] }),
    after: Type.Optional(
      Type.String({
        description:
          'The cursor of an event, a moment, to go on with what happened from then on (or some seconds before), or `now`; left out: before the oldest event that is kept',
      }),
    ),
  },
  { $id: 'WebhookReplay' },
);
export type WebhookReplay = Static<typeof WebhookReplay>;

const webhook = {
  id: Type.String(),
  merchant_id: Type.String(),
  url: Url(),
  store_ids: Type.Optional(StoreIds()),
  types: Type.Optional(Types()),
  label: Type.Optional(Label()),
  include_order: IncludeOrder(),
  skip_own: SkipOwn(),
  status: OneOf(['active', 'disabled']),
  disabled_reason: Type.Optional(
    OneOf(DISABLED_REASONS, {
      description:
        '`requested`: set by a PATCH. `gone`: it answered 410. `failing`: five days without a 2xx.',
    }),
  ),
  created_at: Datetime(),
  last_success_at: Type.Optional(Datetime({ description: 'To the minute' })),
};

export const Webhook = Type.Object(webhook, { $id: 'Webhook' });
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...webhook,
    secret: Type.Optional(
      Type.String({
        description: 'What deliveries are signed with, shown this once; a replayed answer leaves it out',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
  },
  { $id: 'WebhookWithSecret' },
);

export const WebhookLag = Type.Object(
  {
    store_id: Type.String(),
    behind: Type.Integer({ minimum: 0, description: 'Events that the endpoint has not had yet' }),
    oldest_at: Type.Optional(Datetime({ description: 'The time of the first of them' })),
  },
  { $id: 'WebhookLag' },
);
export type WebhookLag = Static<typeof WebhookLag>;

const EventId = () => Type.String({ examples: [`evt_${exampleIds.key}`] });

const ParkedEvent = Type.Object(
  {
    event_id: EventId(),
    type: Type.String(),
    store_id: Type.String(),
    sequence: Type.Integer(),
    parked_at: Datetime(),
    status: Type.Integer({ description: 'What the receiver answered last' }),
  },
  { $id: 'ParkedEvent' },
);

export const WebhookDetails = Type.Object(
  {
    ...webhook,
    lag: Type.Array(WebhookLag, { description: 'One for each store, the furthest behind first' }),
    parked: Type.Array(ParkedEvent, {
      description: 'Events that the receiver refused again and again: the first hundred',
    }),
    secret_readable: Type.Boolean({
      description:
        'Whether this process can sign for the endpoint. If not, nothing is sent until its secret is rotated',
    }),
  },
  { $id: 'WebhookDetails' },
);

export const WebhookDelivery = Type.Object(
  {
    event_id: EventId(),
    type: Type.String({ examples: ['order.created'] }),
    store_id: Type.Optional(Type.String({ description: 'Absent for a test' })),
    sequence: Type.Optional(Type.Integer()),
    attempt: Type.Integer(),
    at: Datetime(),
    status: Type.Optional(Type.Integer({ description: 'Absent where there was no answer' })),
    error: Type.Optional(OneOf(SEND_ERRORS)),
    latency_ms: Type.Integer(),
    response: Type.Optional(Type.String({ description: 'The first 4 KiB of the answer' })),
  },
  { $id: 'WebhookDelivery' },
);

export const WebhookTrial = Type.Object(
  {
    delivered: Type.Boolean(),
    status: Type.Optional(Type.Integer()),
    error: Type.Optional(OneOf(SEND_ERRORS)),
    latency_ms: Type.Integer(),
  },
  { $id: 'WebhookTrial' },
);
export type WebhookTrial = Static<typeof WebhookTrial>;
