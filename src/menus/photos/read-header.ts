import { valueError } from '../../support/error-details.js';

export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

export const MOST_PHOTO_BYTES = 1024 * 1024;
const MOST_PIXELS = 2048;

export interface PhotoSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of an image as its own header tells it. Nothing is decoded, but its parts are followed to the end of the file: one
 * that is cut off, or goes on after its end as a second file within the first would, is refused.
 */
export function readPhotoSize(type: PhotoType, bytes: Buffer): PhotoSize {
  const found = typeOf(bytes);
  if (found !== type) {
    const is = found === undefined ? 'a JPEG, PNG or WebP image' : `${type}, but ${found}`;
    throw refused(`the body is not ${is}`);
  }
  const size = READERS[type](bytes);
  if (size === undefined) throw refused('the image is damaged or cut off, or goes on after its end');
  const { width, height } = size;
  if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS)
    throw refused(`the image has ${width} x ${height} pixels, but a side may have 1 to ${MOST_PIXELS}`);
  return size;
}

function refused(reason: string) {
  return valueError(['body'], reason);
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function typeOf(bytes: Buffer): PhotoType | undefined {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xff_d8_ff) return 'image/jpeg';
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP' ? 'image/webp' : undefined;
}

/** undefined where the parts of a file do not fill it from beginning to end. */
const READERS: Readonly<Record<PhotoType, (bytes: Buffer) => PhotoSize | undefined>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

function readPng(bytes: Buffer): PhotoSize | undefined {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || textAt(bytes, 12) !== 'IHDR') return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let hasPixels = false;
  for (let offset = 33; offset + 12 <= bytes.length;) {
    const name = textAt(bytes, offset + 4);
    hasPixels ||= name === 'IDAT';
    offset += 12 + bytes.readUInt32BE(offset);
    if (name === 'IEND') return hasPixels && offset === bytes.length ? size : undefined;
  }
  return undefined;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

function readJpeg(bytes: Buffer): PhotoSize | undefined {
  let size: PhotoSize | undefined;
  let hasPixels = false;
  for (let offset = 2; offset + 2 <= bytes.length;) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker === END_OF_IMAGE) return hasPixels && offset + 2 === bytes.length ? size : undefined;
    const end = offset + 4 > bytes.length ? Infinity : offset + 2 + bytes.readUInt16BE(offset + 2);
    if (end > bytes.length) return undefined;
    if (isFrame(marker)) {
      // A second frame could be larger than the first.
      if (size !== undefined || end < offset + 9) return undefined;
      size = { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) };
    }
    hasPixels ||= marker === START_OF_SCAN;
    offset = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
  }
  return undefined;
}

/** SOF0 to SOF15; three numbers among them are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The next marker after the pixels of a scan, in which 0xff is followed by 0 or is a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let offset = bytes.indexOf(0xff, from); offset !== -1; offset = bytes.indexOf(0xff, offset + 1)) {
    const next = bytes[offset + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return offset;
  }
  return bytes.length;
}

function readWebp(bytes: Buffer): PhotoSize | undefined {
  if (bytes.length < 20 || bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined;
  let canvas: PhotoSize | undefined;
  let image: PhotoSize | undefined;
  let offset = 12;
  while (offset + 8 <= bytes.length) {
    const name = textAt(bytes, offset);
    const length = bytes.readUInt32LE(offset + 4);
    const data = bytes.subarray(offset + 8, offset + 8 + length);
    if (name === 'VP8X' && length >= 10)
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    // The pictures of an animation could have any size.
    else if (name === 'ANIM' || name === 'ANMF') return undefined;
    else if (name === 'VP8 ' || name === 'VP8L') {
      if (image !== undefined) return undefined;
      image = name === 'VP8L' ? readLossless(data) : readLossy(data);
    }
    offset += 8 + length + (length % 2);
  }
  const isWhole = offset === bytes.length && image !== undefined;
  const isAlike = canvas === undefined || (canvas.width === image?.width && canvas.height === image.height);
  return isWhole && isAlike ? image : undefined;
}

function readLossy(data: Buffer): PhotoSize | undefined {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d_01_2a) return undefined;
  return { width: data.readUInt16LE(6) % 2 ** 14, height: data.readUInt16LE(8) % 2 ** 14 };
}

function readLossless(data: Buffer): PhotoSize | undefined {
  if (data.length < 5 || data[0] !== 0x2f) return undefined;
  const bits = data.readUInt32LE(1);
  return { width: (bits % 2 ** 14) + 1, height: (Math.floor(bits / 2 ** 14) % 2 ** 14) + 1 };
}

function textAt(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + 4);
}
