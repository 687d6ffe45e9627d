import { Type } from '../support/shape/type.js';
import { exampleIds } from '../support/example-ids.js';
import { MENU_EVENT_TYPES } from '../menus/events.js';
import { ATTENTION_REASONS } from '../orders/attention/attention-clock.js';
import { ORDER_EVENT_TYPES } from '../orders/events.js';
import { ManagedOrder, OrderNumber } from '../orders/shapes.js';
import { ORDER_STATUSES } from '../orders/status.js';
import { Datetime, NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { INTAKE_CHANGED } from '../pace/settings.js';
import { NamesOf } from '../support/shape/compile-query.js';
import { STORE_UPDATED } from '../tenants/shapes.js';

const PRINTER_EVENT_TYPES = ['printer.trouble', 'printer.recovered'] as const;

export const EVENT_TYPES = [
  ...ORDER_EVENT_TYPES,
  ...MENU_EVENT_TYPES,
  STORE_UPDATED,
  INTAKE_CHANGED,
  ...PRINTER_EVENT_TYPES,
] as const;

const EventData = NamedShape(
  'EventData',
  {
    order_id: Type.Optional(Type.String({ examples: [exampleIds.order] })),
    number: Type.Optional(OrderNumber()),
    external_id: Type.Optional(Type.String()),
    revision: Type.Optional(Type.Integer({ description: 'The revision of the order after the change' })),
    status: Type.Optional(OneOf(ORDER_STATUSES)),
    previous_status: Type.Optional(OneOf(ORDER_STATUSES)),
    changed: Type.Optional(Type.Array(Type.String(), { description: 'Names of the changed fields' })),
    difference: Type.Optional(
      Type.Object(
        { price: Type.Integer(), tax: Type.Integer() },
        { description: 'By how much the total changed' },
      ),
    ),
    price: Type.Optional(Type.Integer()),
    tax: Type.Optional(Type.Integer()),
    ready_by: Type.Optional(Datetime()),
    reason: Type.Optional(
      Type.String({
        description:
          'Why the store rejected or cancelled the order, or why it needs attention: ' +
          ATTENTION_REASONS.join(', '),
      }),
    ),
    reason_text: Type.Optional(Type.String()),
    place: ManagedOrder.properties.place,
    order: Type.Optional(ManagedOrder),
    created: Type.Optional(
      Type.Integer({ description: 'Number of orders that an import created in the store' }),
    ),
    version: Type.Optional(Type.Integer({ description: 'The version of the menu' })),
    restored_from: Type.Optional(Type.Integer()),
    publication_id: Type.Optional(
      Type.String({ description: 'The publication to several stores, or later' }),
    ),
    result: Type.Optional(OneOf(['refused', 'changed_since'])),
    detail: Type.Optional(Type.String({ description: 'Why the menu was not published' })),
    kind: Type.Optional(OneOf(['item', 'modifier_item'])),
    in_stock: Type.Optional(Type.Boolean()),
    state: Type.Optional(OneOf(['open', 'busy', 'paused', 'closed'])),
    left: Type.Optional(Type.Integer({ description: 'How many are left of a counted item' })),
    until: Type.Optional(
      Datetime({ description: 'When a sold-out item is back, or the state of the store ends' }),
    ),
    printer_id: Type.Optional(Type.String()),
    trouble: Type.Optional(Type.String({ description: 'Why the printer prints nothing' })),
    behind: Type.Optional(
      Type.Integer({ description: 'Orders whose tickets the printer has not confirmed' }),
    ),
    key_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The id of the key that made the change; null for what the service does by the clock',
      examples: [exampleIds.key],
    }),
    via: Type.Optional(OneOf(['mcp'], { description: 'An assistant made the change' })),
  },
  { description: 'Details of the event; the fields depend on its type' },
);

export const FeedEvent = NamedShape('FeedEvent', {
  id: Type.String({ examples: ['evt_01980c6e-5c00-7000-8000-00000000000a'] }),
  type: OneOf(EVENT_TYPES, { examples: ['order.created'] }),
  timestamp: Datetime(),
  store_id: Type.String({ examples: [exampleIds.store] }),
  sequence: Type.Integer({ minimum: 1, description: 'Counts from 1 per store, without gaps' }),
  cursor: Type.String({ description: 'Pass it as `after` to continue after this event' }),
  data: EventData,
});

export const EventList = NamedShape('EventList', {
  events: Type.Array(FeedEvent),
  cursor: Type.String({ description: 'Pass it as `after` to continue' }),
  has_more: Type.Boolean({ description: 'Whether more events are available now' }),
});

export const EventsGoneProblem = NamedShape('EventsGone', {
  detail: Type.String(),
  cursor: Type.String({ description: 'The oldest cursor that is still valid' }),
});

export const EventTypes = NamesOf(EVENT_TYPES, {
  description: `Only events of these types, separated by commas: ${EVENT_TYPES.join(', ')}`,
  examples: ['order.created,order.status_changed'],
});
