import { crc32, deflateSync } from 'node:zlib';

/** Images of any size as a file has them; the pixels are what `seed` makes of them. */

export function png(width: number, height: number, seed = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(Math.min((width + 1) * height, 50_000), seed % 2);
  rows.writeUInt32LE(seed, 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const segment = (marker: number, data: readonly number[]) => [
  0xff,
  marker,
  ...bigEndian(data.length + 2),
  ...data,
];
const bigEndian = (value: number) => [Math.floor(value / 256), value % 256];

/** With metadata before the frame, a stuffed 0xff and a restart among the pixels, and a second scan, as progressive files have. */
export function jpeg(width: number, height: number, { frame = 0xc0, seed = 1 } = {}): Buffer {
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe1, [...Buffer.from('Exif'), 0xff, 0xd9, 0xff, 0xc0]),
    ...[0xff, ...segment(0xdb, [1, 2, 3])],
    ...segment(frame, [8, ...bigEndian(height), ...bigEndian(width), 1, 1, 0x11, 0]),
    ...segment(0xc4, [9, 9, 9, 9, 9, 9, 9]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[seed, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xff, 0],
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[5, 6, 0xff, 0xd9],
  ]);
}

export function webpChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
}

export function webpOf(...chunks: readonly Buffer[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(4 + chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), ...chunks]);
}

export function lossy(width: number, height: number, seed = 0): Buffer {
  const data = Buffer.alloc(15, seed);
  data.set([0x10, 0, 0, 0x9d, 0x01, 0x2a]);
  data.writeUInt16LE(width + 0x4000, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
}

export function lossless(width: number, height: number): Buffer {
  const data = Buffer.alloc(20);
  data[0] = 0x2f;
  data.writeUInt32LE((width - 1) | ((height - 1) << 14) | (1 << 28), 1);
  return webpChunk('VP8L', data);
}

export function canvas(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data[0] = 0x08;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

export const webp = (width: number, height: number, seed = 0) => webpOf(lossy(width, height, seed));
