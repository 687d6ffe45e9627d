import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import { valueError, type Loc } from '../domain/faults.js';
import { decodeCursor } from '../domain/event/cursor.js';
import { EventTypes } from '../domain/event/shapes.js';
import { Defaulted, OneOf, Limit } from '../domain/shape/common-shapes.js';
import { cursorFits, type Followed, type Start } from '../operations/events/feed-position.js';

const after = Type.Optional(
  Type.String({
    description: 'The cursor of an event or of an answer, or `now`',
    examples: ['now'],
  }),
);
const types = Type.Optional(EventTypes);
const include = Type.Optional(
  OneOf(['order'], {
    description: 'Each event of an order brings the order, as it is when the event is sent',
    examples: ['order'],
  }),
);

export const StreamQuery = Type.Object({ after, types, include });

export const FeedQuery = Type.Object({
  after,
  types,
  include,
  limit: Limit,
  wait: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'How many seconds to wait for the first event where there is none yet',
      examples: [0],
    }),
  ),
});

/** Throws where the text is no cursor, or one of other stores. */
export function readStart(text: string, followed: Followed, loc: Loc): Start {
  if (text === 'now') return 'now';
  const cursor = decodeCursor(text);
  if (cursor === undefined || !cursorFits(followed, cursor))
    throw valueError(loc, 'not a cursor of these events; give one as it was received, or now');
  return cursor;
}

/** A browser that connects again tells in a header where it goes on, and asks for the same address, which is older. */
export function readStreamStart(headers: IncomingHttpHeaders, after: string, followed: Followed): Start {
  const lastId = headers['last-event-id'];
  return typeof lastId === 'string' && lastId !== ''
    ? readStart(lastId, followed, ['header', 'Last-Event-ID'])
    : readStart(after, followed, ['query', 'after']);
}
