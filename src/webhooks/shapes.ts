import { Type, type Static } from '../support/shape/type.js';
import { EVENT_TYPES } from '../feed/shapes.js';
import { exampleIds } from '../support/example-ids.js';
import { Datetime, NamedShape, OneOf, PatchOf } from '../support/shape/common-shapes.js';

/** Why nothing is sent to an endpoint any more: asked for, answered 410, or nothing but failures for days. */
const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Why a delivery failed, in one word that clients may compare. */
const SEND_ERRORS = [
  'address_not_allowed',
  'name_not_resolved',
  'connect_timeout',
  'connection_refused',
  'connection_closed',
  'connection_failed',
  'tls',
  'timeout',
  'bad_answer',
  'redirect',
  'client_error',
  'server_error',
] as const;
export type SendError = (typeof SEND_ERRORS)[number];

/** What came of sending an event. Without a status there was no answer. */
export interface SendOutcome {
  readonly status: number | undefined;
  /** undefined where the receiver has taken it. */
  readonly error: SendError | undefined;
  /** For the service's own log: may name addresses that are nobody else's business. */
  readonly reason?: string;
  readonly retryAfterMs?: number | undefined;
  readonly latencyMs: number;
  /** The first 4 KiB of the answer's body. */
  readonly response?: string;
}

const Url = () =>
  Type.String({
    minLength: 1,
    examples: ['https://till.example/hooks/comanda'],
    description: 'http or https, without user name and password. Redirects are not followed.',
  });
const IncludeOrder = () =>
  Type.Boolean({ description: 'Whether order events include the order in its current state' });
const SkipOwn = () =>
  Type.Boolean({
    description: 'Whether to skip changes made with the key that created the webhook, or its successor',
  });
const chosen = {
  store_ids: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Default: every store, including future ones',
    }),
  ),
  types: Type.Optional(
    Type.Array(OneOf(EVENT_TYPES), { minItems: 1, maxItems: 20, description: 'Absent: every type' }),
  ),
  label: Type.Optional(Type.String({ minLength: 1, examples: ['Till 1'] })),
};
const switches = {
  include_order: Type.Optional(IncludeOrder()),
  skip_own: Type.Optional(SkipOwn()),
};

export const WebhookCreate = NamedShape('WebhookCreate', {
  url: Url(),
  merchant_id: Type.Optional(
    Type.String({
      minLength: 1,
      examples: [exampleIds.merchant],
      description: 'Required with an operator key',
    }),
  ),
  ...chosen,
  ...switches,
  from: Type.Optional(
    OneOf(['now', 'start'], {
      description: 'First event: the next one (`now`) or the oldest kept (`start`)',
    }),
  ),
});
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = PatchOf(
  { url: Url(), ...chosen, ...switches, status: OneOf(['active', 'disabled']) },
  { $id: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookReplay = NamedShape('WebhookReplay', {
  store_id: Type.String({ minLength: 1, examples: [exampleIds.store] }),
  after: Type.Optional(
    Type.String({
      description:
        'The cursor of an event, `now`, or a date-time: sending restarts there, or up to some seconds earlier. Default: before the oldest kept event',
    }),
  ),
});
export type WebhookReplay = Static<typeof WebhookReplay>;

const webhook = {
  id: Type.String(),
  merchant_id: Type.String(),
  url: Url(),
  ...chosen,
  include_order: IncludeOrder(),
  skip_own: SkipOwn(),
  status: OneOf(['active', 'disabled']),
  disabled_reason: Type.Optional(
    OneOf(DISABLED_REASONS, {
      description:
        '`requested`: disabled by a PATCH, or when its key was revoked. `gone`: the endpoint responded 410. `failing`: five days without a 2xx.',
    }),
  ),
  created_at: Datetime(),
  last_success_at: Type.Optional(Datetime({ description: 'Accurate to the minute' })),
};

export const Webhook = Type.Object(webhook, { $id: 'Webhook' });

/** A webhook as it is kept, under the names that it is shown by. */
export interface Endpoint extends Omit<Static<typeof Webhook>, 'created_at' | 'last_success_at'> {
  readonly created_at: Date;
  readonly last_success_at?: Date;
  /** When the first attempt failed since the last success. */
  readonly failing_since?: Date;
  /** The key that made it, whose own changes `skip_own` is about. */
  readonly key_id: string;
  /** The id of the box that opens the secrets. */
  readonly sealed_with: string;
  readonly secret: Buffer;
  /** The one before the last rotation, while it still signs. */
  readonly old_secret?: Buffer | undefined;
}

export const WebhookWithSecret = NamedShape('WebhookWithSecret', {
  ...webhook,
  secret: Type.Optional(
    Type.String({
      description: 'The signing secret, returned only once; a replayed response omits it',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  ),
});

export const WebhookLag = NamedShape('WebhookLag', {
  store_id: Type.String(),
  behind: Type.Integer({ minimum: 0, description: 'Number of events not delivered yet' }),
  oldest_at: Type.Optional(Datetime({ description: 'Time of the oldest of them' })),
});

const EventId = () => Type.String({ examples: [`evt_${exampleIds.key}`] });

const ParkedEvent = NamedShape('ParkedEvent', {
  event_id: EventId(),
  type: Type.String(),
  store_id: Type.String(),
  sequence: Type.Integer(),
  parked_at: Datetime(),
  status: Type.Integer({ description: 'Status of the last response' }),
});

export const WebhookDetails = NamedShape('WebhookDetails', {
  ...webhook,
  lag: Type.Array(WebhookLag, { description: 'One entry per store, furthest behind first' }),
  parked: Type.Array(ParkedEvent, {
    description: 'Events that the receiver kept rejecting: the first hundred',
  }),
  older_attempts: Type.Optional(
    Type.Object(
      { delivered: Type.Integer({ minimum: 0 }), failed: Type.Integer({ minimum: 0 }) },
      { description: 'Attempts that are counted, but no longer listed. Absent: none' },
    ),
  ),
  secret_readable: Type.Boolean({
    description:
      'Whether this process can read the signing secret. If not, nothing is sent until the secret is rotated',
  }),
});

export const WebhookDelivery = NamedShape('WebhookDelivery', {
  event_id: EventId(),
  type: Type.String({ examples: ['order.created'] }),
  store_id: Type.Optional(Type.String({ description: 'Absent for a test' })),
  sequence: Type.Optional(Type.Integer()),
  attempt: Type.Integer(),
  at: Datetime(),
  status: Type.Optional(Type.Integer({ description: 'Absent if there was no response' })),
  error: Type.Optional(OneOf(SEND_ERRORS)),
  latency_ms: Type.Integer(),
  response: Type.Optional(Type.String({ description: 'The first 4 KiB of the response' })),
});

export const WebhookTrial = NamedShape('WebhookTrial', {
  delivered: Type.Boolean(),
  status: Type.Optional(Type.Integer()),
  error: Type.Optional(OneOf(SEND_ERRORS)),
  latency_ms: Type.Integer(),
});
