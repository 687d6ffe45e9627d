import Type, { type Static } from 'typebox';
import type { ManagedFilter, ManagedOrders } from '../db/orders/list-by-change.js';
import { parseDatetime } from '../domain/datetime.js';
import { exampleIds } from '../domain/example-ids.js';
import { valueError } from '../domain/faults.js';
import {
  decodeChangeCursor,
  encodeChangeCursor,
  FIRST_PLACE,
  isLater,
  placeAfter,
  type ChangePlace,
} from '../domain/order/change-cursor.js';
import { ORDER_STATUSES } from '../domain/order/status.js';
import { Datetime, ExternalId, Limit } from '../domain/shape/common-shapes.js';
import { isResourceId } from '../domain/uuid.js';
import { readNames } from '../domain/shape/compile-query.js';

/** As many as a page of the interface's list has at most. */
const MOST_IDS = 100;
const ID_LENGTH = 36;

export const ManagedOrderQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      maxLength: MOST_IDS * (ID_LENGTH + 1) - 1,
      description: `Only the orders with these ids, at most ${MOST_IDS}, separated by commas; what is not there is left out`,
      examples: [exampleIds.order],
    }),
  ),
  external_id: Type.Optional(
    ExternalId({ description: 'The order with this external_id', examples: ['till-1-000042'] }),
  ),
  status: Type.Optional(
    Type.String({
      description: `Only orders of these statuses, separated by commas: ${ORDER_STATUSES.join(', ')}`,
      examples: ['PENDING,ACCEPTED'],
    }),
  ),
  is_read: Type.Optional(
    Type.Boolean({ description: 'Only orders that someone has seen, or nobody yet', examples: [false] }),
  ),
  in_pos: Type.Optional(
    Type.Boolean({ description: 'Only orders that are in the till, or not yet', examples: [false] }),
  ),
  updated_after: Type.Optional(
    Datetime({ description: 'Only orders changed after this moment', examples: ['2026-01-01T00:00:00Z'] }),
  ),
  limit: Limit,
  cursor: Type.Optional(Type.String({ description: 'The cursor of the answer before' })),
});

export function toManagedFilter(
  query: Static<typeof ManagedOrderQuery>,
  raw: Readonly<Record<string, string>>,
): ManagedFilter {
  const places = [readCursor(query.cursor), readUpdatedAfter(raw['updated_after'])];
  return {
    ids: query.ids?.split(',').filter(isResourceId),
    externalId: query.external_id,
    statuses: readNames('status', query.status, ORDER_STATUSES),
    isRead: query.is_read,
    inPos: query.in_pos,
    after: places.reduce<ChangePlace>(
      (latest, place) => (place !== undefined && isLater(place, latest) ? place : latest),
      FIRST_PLACE,
    ),
  };
}

export function managedListText({ orders, end, hasMore }: ManagedOrders): string {
  return `{"orders":[${orders.join()}],"cursor":"${encodeChangeCursor(end)}","has_more":${hasMore}}`;
}

function readCursor(text: string | undefined): ChangePlace | undefined {
  if (text === undefined) return undefined;
  const place = decodeChangeCursor(text);
  if (place === undefined) throw valueError(['query', 'cursor'], 'not a cursor of this list');
  return place;
}

/** Changes are kept to the millisecond: what a finer moment says beyond it is left out. */
function readUpdatedAfter(text: string | undefined): ChangePlace | undefined {
  const parsed = text === undefined ? undefined : parseDatetime(text);
  return parsed?.ok === true ? placeAfter(parsed.instant.ms) : undefined;
}
