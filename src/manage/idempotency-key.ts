import Type from 'typebox';
import type { Transaction } from '../db/database.js';
import { ValidationFailed, type Fault } from '../domain/faults.js';
import { json, type Answer } from '../http/answer.js';
import type { Call } from '../http/route.js';
import { doOnce, type KeptAnswer } from '../operations/idempotent-work.js';

const LONGEST_KEY = 255;

export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: LONGEST_KEY,
      // Without an example: filled in by a page, the same key would make the second request the first.
      description:
        'A repeated request with the same key gets the first answer, for 24 hours: one of your own for each, such as till-1-000042',
    }),
  ),
});

/** Runs the work of a POST once per Idempotency-Key and gives its answer, the first or the kept one. */
export async function answerOnce(
  call: Call,
  work: (tx: Transaction) => Promise<KeptAnswer>,
): Promise<Answer> {
  const { status, body } = await doOnce(
    call.db,
    {
      owner: call.principal.id,
      operation: `${call.request.method ?? ''} ${call.request.url ?? ''}`,
      clientKey: readIdempotencyKey(call),
      body: call.body,
    },
    work,
  );
  return json(body, status);
}

export function readIdempotencyKey({ request }: Call): string | undefined {
  const [value = '', second] = request.headersDistinct['idempotency-key'] ?? [];
  if (second !== undefined)
    throw invalidKey({ msg: 'Value error, sent more than once', type: 'value_error' });
  if (value.length > LONGEST_KEY)
    throw invalidKey({
      msg: `String should have at most ${LONGEST_KEY} characters`,
      type: 'string_too_long',
      ctx: { max_length: LONGEST_KEY },
    });
  return value === '' ? undefined : value;
}

function invalidKey(reason: Omit<Fault, 'loc'>): ValidationFailed {
  return new ValidationFailed([{ loc: ['header', 'Idempotency-Key'], ...reason }]);
}
