import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Body, Coding } from '../../http/content-coding.js';

/** Qualities that pay: higher ones cost many times as long for a few per cent. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;
const OUTPUT_CHUNK = 64 * 1024;

const gzipOptions = { level: GZIP_LEVEL, chunkSize: OUTPUT_CHUNK };
const brotliOptions = {
  chunkSize: OUTPUT_CHUNK,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

const gzipWhole = promisify<Buffer, typeof gzipOptions, Buffer>(gzip);
const brotliWhole = promisify<Buffer, typeof brotliOptions, Buffer>(brotliCompress);

/** zlib works on threads of its own; the event loop only hands the chunks on. */
export async function compress(
  body: Body,
  coding: Exclude<Coding, 'identity'>,
  wholeBytes: number,
): Promise<Body> {
  if (body instanceof Uint8Array)
    return coding === 'gzip' ? gzipWhole(body, gzipOptions) : brotliWhole(body, brotliOptions);
  const open = () => openCompressed(body.chunks(), coding);
  return (await collectUpTo(open(), wholeBytes)) ?? { heldBytes: body.heldBytes, chunks: open };
}

function openCompressed(chunks: Iterable<Buffer> | AsyncIterable<Buffer>, coding: Coding): Readable {
  const source = Readable.from(chunks, { objectMode: false });
  const encoder = coding === 'gzip' ? createGzip(gzipOptions) : createBrotliCompress(brotliOptions);
  source.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  return source.pipe(encoder);
}

async function collectUpTo(stream: Readable, most: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}
