import Type from 'typebox';
import { exampleIds } from '../example-ids.js';
import { ManagedOrder } from '../order/shapes.js';
import { ORDER_STATUSES } from '../order/status.js';
import { Datetime, OneOf } from '../shape/common-shapes.js';
import { EVENT_TYPES } from './event.js';

const EventData = Type.Object(
  {
    order_id: Type.Optional(Type.String({ examples: [exampleIds.order] })),
    external_id: Type.Optional(Type.String()),
    revision: Type.Optional(Type.Integer({ description: 'The revision that the change made' })),
    status: Type.Optional(OneOf(ORDER_STATUSES)),
    previous_status: Type.Optional(OneOf(ORDER_STATUSES)),
    changed: Type.Optional(
      Type.Array(Type.String(), { description: 'The names of the fields that changed' }),
    ),
    price: Type.Optional(Type.Integer()),
    tax: Type.Optional(Type.Integer()),
    ready_by: Type.Optional(Datetime()),
    order: Type.Optional(ManagedOrder),
    created: Type.Optional(Type.Integer({ description: 'How many orders an import made in the store' })),
    version: Type.Optional(Type.Integer({ description: 'The version of the menu' })),
    restored_from: Type.Optional(Type.Integer()),
    kind: Type.Optional(OneOf(['item', 'modifier_item'])),
    in_stock: Type.Optional(Type.Boolean()),
    key_id: Type.String({
      description: 'The id of the key that made the change',
      examples: [exampleIds.key],
    }),
  },
  { $id: 'EventData', description: 'What an event tells; which members it has depends on its type' },
);

export const FeedEvent = Type.Object(
  {
    id: Type.String({ examples: ['evt_01980c6e-5c00-7000-8000-00000000000a'] }),
    type: OneOf(EVENT_TYPES, { examples: ['order.created'] }),
    timestamp: Datetime(),
    store_id: Type.String({ examples: [exampleIds.store] }),
    sequence: Type.Integer({ minimum: 1, description: 'Counts from 1 per store, without gaps' }),
    cursor: Type.String({ description: 'Give it as `after` to go on behind this event' }),
    data: EventData,
  },
  { $id: 'FeedEvent' },
);

export const EventList = Type.Object(
  {
    events: Type.Array(FeedEvent),
    cursor: Type.String({ description: 'Where to go on' }),
    has_more: Type.Boolean({ description: 'There is more already; otherwise ask again later, or wait' }),
  },
  { $id: 'EventList' },
);

export const EventsGoneProblem = Type.Object(
  {
    detail: Type.String(),
    cursor: Type.String({ description: 'The oldest cursor that can be gone on from' }),
  },
  { $id: 'EventsGone' },
);

export const EventTypes = Type.String({
  description: `Only events of these types, separated by commas: ${EVENT_TYPES.join(', ')}`,
  examples: ['order.created,order.status_changed'],
});
