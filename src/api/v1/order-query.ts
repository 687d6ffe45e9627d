import Type, { type Static } from 'typebox';
import { isAfter, parseDatetime, type Instant } from '../../domain/datetime.js';
import { SearchTooBroad } from '../../domain/errors.js';
import { ValidationFailed, valueError } from '../../domain/faults.js';
import type { OrderFilter } from '../../domain/order/filter.js';
import { foldName, phoneDigits } from '../../domain/order/folding.js';
import { ORDER_STATUSES } from '../../domain/order/status.js';
import { reportValueError } from '../../domain/shape/report-fault.js';
import { withRule } from '../../domain/shape/compile-shape.js';
import { Datetime, Defaulted, OneOf } from '../../domain/shape/common-shapes.js';

export const OrderQuery = Type.Object({
  start_time: Type.Optional(
    Datetime({ description: 'Orders created at this moment or later', examples: ['2026-01-01T00:00:00Z'] }),
  ),
  end_time: Type.Optional(
    Datetime({ description: 'Orders created before this moment', examples: ['2036-01-01T00:00:00Z'] }),
  ),
  customer_name: Type.Optional(
    Type.String({
      description: 'Part of the name, without regard to case and accents',
      examples: ['lukasz'],
    }),
  ),
  phone_number: Type.Optional(
    withRule(
      Type.String({
        description: 'Digits that follow each other in the phone number',
        examples: ['5550123'],
      }),
      (phone, visit) => {
        if (phoneDigits(phone) === '')
          reportValueError(visit, 'a phone number has at least one digit', phone);
      },
    ),
  ),
  status: Type.Optional(
    OneOf(ORDER_STATUSES, { description: 'Only orders of this status', examples: ['FULFILLED'] }),
  ),
  page_index: Defaulted(
    Type.Integer({ minimum: 1, default: 1, description: 'Pages count from 1', examples: [1] }),
  ),
  page_size: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'How many to a page, at most 100',
      examples: [20],
    }),
  ),
});

/** `raw` still has the fractions of a millisecond that the checked query has lost. */
export function toOrderFilter(
  query: Static<typeof OrderQuery>,
  raw: Readonly<Record<string, string>>,
): OrderFilter {
  const from = query.start_time === undefined ? undefined : instantOf(raw['start_time']);
  const to = query.end_time === undefined ? undefined : instantOf(raw['end_time']);
  if (from !== undefined && to !== undefined && isAfter(from, to)) {
    throw valueError(['query', 'end_time'], 'end_time is before start_time');
  }
  return {
    from: boundOf(from),
    to: boundOf(to),
    status: query.status,
    name: foldName(query.customer_name ?? ''),
    digits: phoneDigits(query.phone_number ?? ''),
  };
}

function instantOf(given: string | undefined): Instant | undefined {
  const parsed = parseDatetime(given ?? '');
  return parsed.ok ? parsed.instant : undefined;
}

/** Orders are kept to the millisecond, so one is at or after a finer moment when it is at or after the next millisecond. */
function boundOf(instant: Instant | undefined): number | undefined {
  return instant && (instant.cut === '' ? instant.ms : instant.ms + 1);
}

/** Gives a search that was too broad its place in the query; anything else stays as it is. */
export function placeInQuery(error: unknown): unknown {
  if (!(error instanceof SearchTooBroad)) return error;
  const parameter = error.by === 'name' ? 'customer_name' : 'phone_number';
  return new ValidationFailed([{ loc: ['query', parameter], msg: error.message, type: 'query_too_broad' }]);
}
