import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PHOTO_TYPES, readPhotoSize, type PhotoType } from '../../../src/menus/photos/read-header.js';
import { ValidationFailed } from '../../../src/support/error-details.js';
import {
  canvas,
  jpeg,
  lossless,
  lossy,
  png,
  pngChunk,
  webp,
  webpChunk,
  webpOf,
} from '../../harness/images.js';

const WHOLE: readonly (readonly [string, PhotoType, (width: number, height: number) => Buffer])[] = [
  ['PNG', 'image/png', png],
  ['JPEG', 'image/jpeg', jpeg],
  ['progressive JPEG', 'image/jpeg', (width, height) => jpeg(width, height, { frame: 0xc2 })],
  ['lossy WebP', 'image/webp', webp],
  ['lossless WebP', 'image/webp', (width, height) => webpOf(lossless(width, height))],
  [
    'WebP with metadata',
    'image/webp',
    (width, height) =>
      webpOf(canvas(width, height), lossy(width, height), webpChunk('EXIF', Buffer.alloc(7))),
  ],
];

const refusal = (type: PhotoType, bytes: Buffer): string | undefined => {
  try {
    readPhotoSize(type, bytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    expect(error.errors.map(({ loc, type: kind }) => [loc, kind])).toEqual([[['body'], 'value_error']]);
    return error.errors[0]?.msg;
  }
};
const DAMAGED = 'Value error, the image is damaged or cut off, or goes on after its end';

describe.each(WHOLE)('%s', (_, type, make) => {
  it('tells its size up to 2,048 pixels a side', () => {
    for (const [width, height] of [
      [1200, 900],
      [1, 2048],
      [2048, 1],
    ] as const)
      expect(readPhotoSize(type, make(width, height))).toEqual({ width, height });
    expect(refusal(type, make(2049, 10))).toBe(
      'Value error, the image has 2049 x 10 pixels, but a side may have 1 to 2048',
    );
    expect(refusal(type, make(10, 2049))).toContain('10 x 2049 pixels');
  });

  it('is refused wherever it is cut off, and with anything after its end', () => {
    const whole = make(40, 30);
    for (let length = 0; length < whole.length; length += 1)
      expect([length, refusal(type, whole.subarray(0, length))]).toEqual([
        length,
        expect.stringMatching(/damaged|is not/),
      ]);
    const page = Buffer.from('<html><script>alert(1)</script>');
    expect(refusal(type, Buffer.concat([whole, page]))).toBe(DAMAGED);
    expect(refusal(type, Buffer.concat([whole, whole]))).toBe(DAMAGED);
  });

  it('is refused under the name of another', () => {
    for (const other of PHOTO_TYPES.filter((one) => one !== type))
      expect(refusal(other, make(4, 3))).toBe(`Value error, the body is not ${other}, but ${type}`);
  });

  it('is refused or has a size within the limits, whatever bytes of it are changed', () => {
    const whole = make(40, 30);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const bytes = Buffer.from(whole);
          for (const [offset, value] of changes) bytes[offset] = value;
          if (refusal(type, bytes) !== undefined) return;
          const { width, height } = readPhotoSize(type, bytes);
          expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
          expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
        },
      ),
      { numRuns: 500 },
    );
  });
});

it.each([
  ['a picture of 60,000 x 60,000 pixels', 'image/png', png(60_000, 60_000), /60000 x 60000 pixels/],
  ['a JPEG without a height', 'image/jpeg', jpeg(10, 0), /10 x 0 pixels/],
  [
    'a page that begins like a GIF',
    'image/png',
    Buffer.from('GIF89a/*<html>*/=1;'),
    /is not a JPEG, PNG or WebP/,
  ],
  ['an SVG', 'image/webp', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /is not a JPEG/],
  ['nothing', 'image/jpeg', Buffer.alloc(0), /is not a JPEG/],
  [
    'a WebP that hides a larger picture',
    'image/webp',
    webpOf(canvas(100, 100), lossy(16_000, 16_000)),
    /damaged/,
  ],
  ['a WebP of two pictures', 'image/webp', webpOf(lossy(100, 100), lossy(16_000, 16_000)), /damaged/],
  [
    'a moving WebP',
    'image/webp',
    webpOf(canvas(9, 9), webpChunk('ANMF', Buffer.alloc(16)), lossy(9, 9)),
    /damaged/,
  ],
  ['a WebP without a picture', 'image/webp', webpOf(canvas(9, 9)), /damaged/],
  [
    'a PNG without pixels',
    'image/png',
    Buffer.concat([png(9, 9).subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]),
    /damaged/,
  ],
] as const)('refuses %s', (_, type, bytes, reason) => {
  expect(refusal(type, bytes)).toMatch(reason);
});
