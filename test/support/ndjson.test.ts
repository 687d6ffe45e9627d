import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../src/support/ndjson.js';

async function read(pieces: readonly Uint8Array[], mostBytes: number) {
  const lines = [];
  for await (const group of readLines(asStream(pieces), mostBytes)) lines.push(...group);
  return lines.map(({ number, bytes }) => [number, bytes && Buffer.from(bytes).toString()]);
}

async function* asStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

describe('cutting a stream into lines', () => {
  it('gives the same lines however the stream is cut, numbered with the empty ones, and leaves out what is too long', async () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{0,12}$/), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(200)), async (lines, cuts) => {
        const bytes = Buffer.from(lines.join('\n'));
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        const expected = lines
          .map((line, i) => [i + 1, line.length > 8 ? undefined : line])
          .filter(([, line]) => line !== '');
        expect(await read(pieces, 8)).toEqual(expected);
      }),
    );
  });
});
