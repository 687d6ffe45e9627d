import { describe, expect, it } from 'vitest';
import { readLines } from '../../src/orders/lines.js';
import { layTicket } from '../../src/orders/ticket.js';
import { ticketWords } from '../../src/orders/ticket-words.js';
import { encodeTicket, isPrintable } from '../../src/printers/encode.js';
import { toPaper } from '../../src/printers/paper.js';
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
const rows = layTicket(order, {
  words: ticketWords('en'),
  title: 'Centro',
  marks: ['NEW'],
  lines,
  hasAmounts: true,
  times: ' x ',
  time: (instant) => instant.slice(11, 16),
  money: (amount) => `${(amount / 100).toFixed(2)} EUR`,
});

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

  it('is decoded by another reader of ESC/POS and of Star’s commands as it was laid out', () => {
    const texts = [
      line('Ñandú, Łódź, Žluťoučký'),
      line('Борщ і чай', true),
      line('Μουσακάς'),
      line('50 € “quoted”'),
    ];
    const shown = texts.map(({ text, isLarge }) => ({ text, isLarge, isBold: isLarge }));
    expect(decodeEscPos(encodeTicket([texts, texts], 'escpos'))).toEqual({
      lines: [...shown, ...shown],
      cuts: 2,
    });
    expect(decodeStar(encodeTicket([texts], 'star'))).toEqual({ lines: shown, cuts: 1 });
  });

  it('prints no letter that the pages lack, leaves out signs, and drops marks where it must', () => {
    expect(['Café', 'Борщ', 'Μουσακάς', 'What?', 'Tea 🙏'].map(isPrintable)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['ラーメン', 'شاورما', 'ต้มยำ', 'שקשוקה'].map(isPrintable)).toEqual([false, false, false, false]);
    const { lines: printed } = decodeEscPos(encodeTicket([[line('Tea 🙏, ラ, ǎ')]], 'escpos'));
    expect(printed[0]?.text).toBe('Tea , ?, a');
  });

  it('passes no command of a guest on to the printer: no drawer, no cut', () => {
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
      const decoded = (dialect === 'escpos' ? decodeEscPos : decodeStar)(encodeTicket([paper], dialect));
      expect(decoded.cuts).toBe(1);
      expect(decoded.lines.map(({ text }) => text)).toContain('1 x SouppV');
    }
  });
});
