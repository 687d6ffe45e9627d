import { setImmediate as letOthersRun } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { loadFont, ROWS, type Font } from './font.js';
import type { PaperLine } from './paper.js';

/** Black on white, a bit a dot, each row in whole bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** A character of a printer's own font is 12 dots wide and 24 high. */
const CELL_WIDTH = 12;
const CELL_HEIGHT = 24;

/** Lines of a ticket that are drawn at most: each takes 2.4 kB for an Epson printer, which refuses what is longer than 2 MB. */
export const MOST_DRAWN = 750;

let font: Promise<Font> | undefined;

/** Lines as a picture, for letters that the printer lacks. */
export async function drawLines(lines: readonly PaperLine[], columns: number): Promise<Picture> {
  font ??= loadFont();
  const glyphOf = await font;
  const width = columns * CELL_WIDTH;
  const rows: Buffer[] = [];
  for (const { text, isLarge } of lines) {
    await letOthersRun();
    rows.push(drawLine(toVisual(text), width, isLarge ? 2 : 1, glyphOf));
  }
  const bytes = Buffer.concat(rows);
  return { width, height: bytes.length / (width / 8), bytes };
}

function drawLine(text: string, width: number, size: number, glyphOf: Font): Buffer {
  const black: { x: number; y: number }[] = [];
  let pen = 0;
  for (const character of text) {
    const { advance, dots } = glyphOf(character);
    for (const { x, y } of dots) black.push({ x: pen + x, y });
    pen += advance;
  }
  const scaleY = (CELL_HEIGHT * size) / ROWS;
  const scaleX = Math.min(scaleY, width / pen);
  const bytes = Buffer.alloc((width / 8) * CELL_HEIGHT * size);
  // A dot of the font blackens every dot of the paper that it touches, so that no stroke is lost.
  for (const { x, y } of black)
    for (let row = Math.floor(y * scaleY); row < (y + 1) * scaleY; row += 1)
      for (let column = Math.floor(x * scaleX); column < Math.min(width, (x + 1) * scaleX); column += 1) {
        const i = row * (width / 8) + (column >> 3);
        if (column >= 0) bytes[i] = (bytes[i] ?? 0) | (0x80 >> (column & 7));
      }
  return bytes;
}

/** The forms of each Arabic letter, and of lam with alef: alone, at the end, at the start and in the middle of a word. */
const FORMS = new Map<string, string[]>();
for (const [first, last] of [
  [0xfe80, 0xfefc],
  [0xfb50, 0xfbff],
] as const)
  for (let code = first; code <= last; code += 1) {
    const form = String.fromCharCode(code);
    const letter = form.normalize('NFKC');
    if (letter !== form) FORMS.set(letter, [...(FORMS.get(letter) ?? []), form]);
  }
// The stroke that makes a word longer joins on both sides.
FORMS.set('\u0640', new Array<string>(4).fill('\u0640'));

const LETTERS = /\u0644\p{M}*[\u0622\u0623\u0625\u0627]\p{M}*|\P{M}\p{M}*/gu;
/** Numbers are read from the left in any script. */
const PIECES = /\p{Nd}+(?:[.,:/]\p{Nd}+)*|\P{M}\p{M}*/gu;
/** A number at the end of a line, such as that of an order, goes with the word before it. */
const RUNS =
  /[\p{scx=Arab}\p{scx=Hebr}](?:[\p{scx=Arab}\p{scx=Hebr}\P{L}]*[\p{scx=Arab}\p{scx=Hebr}\p{M}])?(?: \p{Nd}[\p{Nd}.,:/]*$)?/gu;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(' };

/** The characters of a line from left to right: Arabic letters joined, and what is read from the right turned round. */
function toVisual(text: string): string {
  return text.normalize('NFC').replace(RUNS, (run) => {
    const pieces = joinLetters(run).match(PIECES) ?? [];
    return pieces
      .reverse()
      .map((piece) => MIRRORED[piece] ?? piece)
      .join('');
  });
}

function joinLetters(run: string): string {
  const letters = (run.match(LETTERS) ?? []).map((whole) => {
    const marks = whole.replace(/\P{M}/gu, '');
    return { whole, marks, forms: FORMS.get(whole.replace(/\p{M}/gu, '')) ?? [] };
  });
  const joined = letters.map(({ whole, marks, forms }, i) => {
    const isAfter = forms.length > 1 && letters[i - 1]?.forms.length === 4;
    const isBefore = forms.length === 4 && (letters[i + 1]?.forms.length ?? 0) > 1;
    const form = forms[(isAfter ? 1 : 0) + (isBefore ? 2 : 0)];
    return form === undefined ? whole : form + marks;
  });
  return joined.join('');
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function toPng({ width, height, bytes }: Picture): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit of grey, in which 1 is white.
  head.writeUInt8(1, 8);
  const rows = Array.from({ length: height }, (_, i) => [
    Buffer.of(0),
    bytes.subarray((i * width) / 8, ((i + 1) * width) / 8).map((byte) => ~byte),
  ]);
  const chunks = [
    ['IHDR', head],
    ['IDAT', deflateSync(Buffer.concat(rows.flat()))],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  const parts = chunks.flatMap(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return [length, body, check];
  });
  return Buffer.concat([SIGNATURE, ...parts]);
}
