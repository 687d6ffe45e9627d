import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../src/orders/lines.js';
import { layTicket } from '../../src/orders/ticket.js';
import { ticketWords } from '../../src/orders/ticket-words.js';
import { encodeTicket, isPrintable } from '../../src/printers/encode.js';
import { toPaper } from '../../src/printers/paper.js';
import { drawLines, toPng, type Picture } from '../../src/printers/draw.js';
import { decodeEscPos, decodeStar } from './decode.js';

const line = (text: string, isLarge = false) => ({ text, isLarge, isBold: isLarge });

const order = {
  id: '01980c6e-5c00-7000-8000-00007fffff01',
  number: 42,
  service: 'delivery',
  ready_by: '2026-11-18T18:30:00.000Z',
  created_at: '2026-11-18T18:00:00.000Z',
  customer: { name: 'Ana', phone: '+34 1' },
  customer_comments: 'Please ring at the second door on the left, the bell is broken since Tuesday',
  price: 1000,
  tax: 100,
  due: 1100,
  charges: [{ name: 'Delivery of an exceptionally heavy basket to the fourth floor', price: 200, tax: 0 }],
  delivery: { address: { line_1: 'Calle Mayor 1', city: 'Madrid' } },
} as const;
const lines = readLines([
  {
    name: 'Pizza',
    quantity: 2,
    comments: 'well done',
    modifiers: [
      { name: 'Ham', quantity: 2, modifiers: [{ name: 'thick' }] },
      { name: 'Supercalifragilisticexpialidocious-and-more-of-it' },
    ],
  },
]);
const view = {
  words: ticketWords('en'),
  title: 'Centro',
  marks: ['NEW'],
  lines,
  hasAmounts: true,
  times: ' x ',
  time: (instant: string) => instant.slice(11, 16),
  money: (amount: number) => `${(amount / 100).toFixed(2)} EUR`,
};
const rows = layTicket(order, view);

describe('a ticket on paper', () => {
  it.each([32, 42, 48] as const)(
    'is at most %i columns wide, and half of that where it is large',
    (columns) => {
      const paper = toPaper(rows, columns);
      for (const { text, isLarge } of paper)
        expect(text.length).toBeLessThanOrEqual(isLarge ? columns / 2 : columns);
      const texts = paper.map(({ text }) => text);
      expect(texts).toEqual(
        expect.arrayContaining(['2 x Pizza', '  + 2 x Ham', '    + thick', '  >> “well done”']),
      );
      expect(paper.filter(({ isLarge }) => isLarge).map(({ text }) => text)).toEqual(['NEW', 'No. 42']);
      expect(texts.find((text) => text.startsWith('Total'))).toBe(
        `Total${'11.00 EUR'.padStart(columns - 5)}`,
      );
    },
  );

  it('prices lines with what is chosen where that explains the total, and no line where it does not', () => {
    const cheese = { name: 'Cheese', price_change: 50, tax_change: 5 };
    const pizza = { name: 'Pizza', quantity: 2, price: 350, tax: 35, modifiers: [cheese] };
    const paper = (price: number) =>
      toPaper(
        layTicket({ ...order, price }, { ...view, lines: readLines([pizza, { name: 'Water' }]) }),
        32,
      ).map(({ text }) => text);
    const priced = ['2 x Pizza               8.80 EUR', '  + Cheese', '1 x Water               0.00 EUR'];
    expect(paper(980)).toEqual(expect.arrayContaining(priced));
    expect(paper(1000)).toEqual(expect.arrayContaining(['2 x Pizza', '  + Cheese', '1 x Water']));
  });

  it('is decoded by another reader of ESC/POS and of Star’s commands as it was laid out', async () => {
    const texts = [
      line('Ñandú, Łódź, Žluťoučký'),
      line('Борщ і чай', true),
      line('Μουσακάς'),
      line('50 € “quoted”'),
    ];
    const shown = texts.map(({ text, isLarge }) => ({ text, isLarge, isBold: isLarge }));
    expect(decodeEscPos(await encodeTicket([texts, texts], 'escpos', 42))).toEqual({
      lines: [...shown, ...shown],
      cuts: 2,
    });
    expect(decodeStar(await encodeTicket([texts], 'star', 42))).toEqual({ lines: shown, cuts: 1 });
  });

  it('prints no letter that the pages lack, leaves out signs, and drops marks where it must', async () => {
    expect(['Café', 'Борщ', 'Μουσακάς', 'What?', 'Tea 🙏'].map(isPrintable)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['ラーメン', 'شاورما', 'ต้มยำ', 'שקשוקה'].map(isPrintable)).toEqual([false, false, false, false]);
    const { lines: printed } = decodeStar(await encodeTicket([[line('Tea 🙏, ラ, ǎ')]], 'star', 42));
    expect(printed[0]?.text).toBe('Tea , ?, a');
  });

  it('passes no command of a guest on to the printer: no drawer, no cut', async () => {
    const evil = readLines([
      { name: 'Soup\u001bp\u0000\u0007\u001dV\u0000\u0010\u0014\u0001', comments: '\u001b@\u202e' },
    ]);
    const paper = toPaper(
      layTicket(order, {
        words: ticketWords('en'),
        title: '',
        lines: evil,
        hasAmounts: false,
        times: ' x ',
        time: String,
        money: String,
      }),
      42,
    );
    for (const dialect of ['escpos', 'star'] as const) {
      const decoded = (dialect === 'escpos' ? decodeEscPos : decodeStar)(
        await encodeTicket([paper], dialect, 42),
      );
      expect(decoded.cuts).toBe(1);
      expect(decoded.lines.map(({ text }) => text)).toContain('1 x SouppV');
    }
  });
});

describe('a line that the code pages lack', () => {
  const draw = (text: string, isLarge = false) => drawLines([line(text, isLarge)], 32);
  /** What is black in a cell of 12 by 24 dots. */
  const cellOf = ({ width, bytes }: Picture, i: number) =>
    Array.from({ length: 24 }, (_, y) =>
      Array.from({ length: 12 }, (__, x) => {
        const at = y * width + i * 12 + x;
        return ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) === 0 ? ' ' : '#';
      }).join(''),
    );
  const BLANK = new Array<string>(24).fill(' '.repeat(12));

  it('is sent as a picture among the other lines', async () => {
    const { lines: printed, pictures } = decodeEscPos(
      await encodeTicket([[line('2 x Tea'), line('ラーメン'), line('ラーメン', true)]], 'escpos', 32),
    );
    expect(printed).toEqual([{ text: '2 x Tea', isLarge: false, isBold: false }]);
    expect(pictures).toEqual([await draw('ラーメン'), await draw('ラーメン', true)]);
    expect(pictures?.map(({ width, height }) => [width, height])).toEqual([
      [384, 24],
      [384, 48],
    ]);
  });

  it('shows each letter where it stands', async () => {
    const picture = await draw('日 A');
    // Two cells, a space and a letter.
    expect([0, 1, 2, 3, 4].map((i) => cellOf(picture, i).join('') === BLANK.join(''))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(cellOf(picture, 3)).toEqual(cellOf(await draw('A'), 0));
    // A mark lies over its letter.
    const marked = await draw('กั');
    expect(cellOf(marked, 0)).not.toEqual(cellOf(await draw('ก'), 0));
    expect(cellOf(marked, 1)).toEqual(BLANK);
  });

  it('is read from the right in Hebrew and Arabic, but for its numbers', async () => {
    const cells = async (text: string, order: readonly string[]) => {
      const picture = await draw(text);
      const single = await Promise.all(order.map(async (letter) => cellOf(await draw(letter), 0)));
      expect(order.map((_, i) => cellOf(picture, i))).toEqual(single);
    };
    await cells('2 שלום', ['2', ' ', 'ם', 'ו', 'ל', 'ש']);
    await cells('שלום 19:30', ['1', '9', ':', '3', '0', ' ', 'ם', 'ו', 'ל', 'ש']);
    await cells('שלום  19 A', ['ם', 'ו', 'ל', 'ש', ' ', ' ', '1', '9', ' ', 'A']);
    await cells('א(12)ב', ['ב', '(', '1', '2', ')', 'א']);
  });

  it('joins the letters of Arabic', async () => {
    // The forms as the code charts name them: seen at the start, lam with alef at the end, meem alone.
    expect(await draw('سلام')).toEqual(await draw('\ufeb3\ufefc\ufee1'));
    // Dal joins nothing after it; a mark changes nothing about that.
    expect(await draw('بَدر')).toEqual(await draw('\ufe91\u064e\ufeaa\ufead'));
    // Lam at the start, then the stroke that lengthens it.
    expect(await draw('لـ 9')).toEqual(await draw('\ufedf\u0640 9'));
    // Persian: peh at the start, reh at the end.
    expect(await draw('پر')).toEqual(await draw('\ufb58\ufeae'));
  });

  it('fits the paper however wide its letters are, and whatever is in it', async () => {
    const wide = '日'.repeat(40);
    const { width, height, bytes } = await draw(wide);
    expect([width, height, bytes.length]).toEqual([384, 24, (384 / 8) * 24]);
    expect(cellOf({ width, height, bytes }, 31)).not.toEqual(BLANK);
    for (const text of ['', '\u0301', '\u{10ffff}', '\ud800', '\u0644'])
      expect((await draw(text)).bytes).toHaveLength(bytes.length);
  });

  it('is the same dots in a PNG', async () => {
    const picture = await draw('ラーメン');
    const png = toPng(picture);
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([384, 24, 1, 0]);
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    const shown = Array.from({ length: 24 }, (_, i) => rows.subarray(i * 49 + 1, (i + 1) * 49));
    expect(Buffer.concat(shown).map((byte) => ~byte)).toEqual(picture.bytes);
  });
});
