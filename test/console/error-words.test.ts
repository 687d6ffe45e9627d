import './speak-english.js';
import { expect, it } from 'vitest';
import { ApiError } from '#sdk';

const { sentencesOf } = await import('../../console/src/text/error-words.js');

const refusal = (status: number, detail: string) =>
  sentencesOf(
    new ApiError({ status, detail, requestId: undefined, retryAfterSeconds: undefined, cursor: undefined }),
  );

it('tells a person to wait only where waiting helps', () => {
  const full = 'The photos of the merchant take 2 GiB. Remove some first.';
  expect(refusal(507, full)).toEqual([full]);
  expect(refusal(500, 'Internal Server Error')).toEqual([
    'The service could not do this at the moment. Try again in a while.',
  ]);
});
