import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** GNU Unifont has the letters of all living scripts in 16 rows of dots; its outlines run along these dots. */
export const ROWS = 16;
const DOT = 64;
const TOP = 14;
const MOST_KEPT = 2_000;

interface Glyph {
  /** How many dots further the next letter begins: none after a mark, which lies over the letter before it. */
  readonly advance: number;
  /** The black dots, from the top left; those of a mark are to the left. */
  readonly dots: readonly { readonly x: number; readonly y: number }[];
}

export type Font = (character: string) => Glyph;

/** Takes 12 MB from then on: only for who prints such letters. */
export async function loadFont(): Promise<Font> {
  const require = createRequire(import.meta.url);
  const file = await readFile(require.resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff'));
  const read = async (table: string): Promise<Buffer> => {
    // After the head of 44 bytes, each table has 20: its name, where it begins, and its length packed and unpacked.
    const entry = file.indexOf(table, 44, 'latin1');
    const [start, length] = [file.readUInt32BE(entry + 4), file.readUInt32BE(entry + 8)];
    const bytes = file.subarray(start, start + length);
    return length < file.readUInt32BE(entry + 12) ? promisify(inflate)(bytes) : bytes;
  };
  const [codes, starts, outlines, metrics] = await Promise.all([
    read('cmap'),
    read('loca'),
    read('glyf'),
    read('hmtx'),
  ]);
  const indexOf = readCodes(codes);
  const kept = new LRUCache<string, Glyph>({ max: MOST_KEPT });
  return (character) => {
    const found = kept.get(character);
    if (found !== undefined) return found;
    const index = indexOf(character.codePointAt(0) ?? 0);
    const [start, end] = [starts.readUInt32BE(4 * index), starts.readUInt32BE(4 * index + 4)];
    const dots = start === end ? [] : fill(readStrokes(outlines.subarray(start, end)));
    const glyph = { advance: metrics.readUInt16BE(4 * index) / DOT, dots };
    kept.set(character, glyph);
    return glyph;
  };
}

/** Finds the glyph of a code; the first, a box, for one that the font lacks. */
function readCodes(table: Buffer): (code: number) => number {
  const map = table.subarray(table.readUInt32BE(8));
  const count = map.readUInt16BE(6) / 2;
  // Four lists one after the other: last codes, first codes, steps and offsets, with two bytes after the first list.
  const at = (list: number, i: number) => 14 + 2 * (list * count + i) + (list === 0 ? 0 : 2);
  return (code) => {
    let i = 0;
    while (i < count && code > map.readUInt16BE(at(0, i))) i += 1;
    const first = i < count ? map.readUInt16BE(at(1, i)) : Infinity;
    if (code < first) return 0;
    const offset = map.readUInt16BE(at(3, i));
    const index = offset === 0 ? code : map.readUInt16BE(at(3, i) + offset + 2 * (code - first));
    return (index + map.readUInt16BE(at(2, i))) & 0xffff;
  };
}

/** An upright stroke of an outline. */
interface Stroke {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

function readStrokes(glyph: Buffer): Stroke[] {
  const contours = glyph.readInt16BE(0);
  const ends = Array.from({ length: contours }, (_, i) => glyph.readUInt16BE(10 + 2 * i));
  let at = 12 + 2 * contours + glyph.readUInt16BE(10 + 2 * contours);
  const flags: number[] = [];
  while (flags.length <= (ends.at(-1) ?? -1)) {
    const flag = glyph.readUInt8(at++);
    const repeats = (flag & 8) === 0 ? 0 : glyph.readUInt8(at++);
    flags.push(...new Array<number>(repeats + 1).fill(flag));
  }
  const readAxis = (isShort: number, isSame: number) => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & isShort) !== 0) value += glyph.readUInt8(at++) * ((flag & isSame) === 0 ? -1 : 1);
      else if ((flag & isSame) === 0) value += glyph.readInt16BE((at += 2) - 2);
      return value / DOT;
    });
  };
  const [xs, ys] = [readAxis(2, 16), readAxis(4, 32)];
  return xs.map((x, i) => {
    const contour = ends.findIndex((end) => i <= end);
    const next = i === ends[contour] ? (ends[contour - 1] ?? -1) + 1 : i + 1;
    return { x, from: ys[i] ?? 0, to: ys[next] ?? 0 };
  });
}

/** The dots that lie inside: to their left, more strokes go up than down, or fewer. */
function fill(strokes: readonly Stroke[]): Glyph['dots'] {
  const dots: { x: number; y: number }[] = [];
  for (let y = 0; y < ROWS; y += 1) {
    const middle = TOP - y - 0.5;
    const crossed = strokes.filter(({ from, to }) => from > middle !== to > middle);
    for (let x = -ROWS; x < ROWS; x += 1) {
      const turns = crossed.reduce((sum, one) => sum + (one.x <= x ? Math.sign(one.to - one.from) : 0), 0);
      if (turns !== 0) dots.push({ x, y });
    }
  }
  return dots;
}
