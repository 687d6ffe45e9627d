import stringWidth from 'string-width';
import type { TicketRow } from '../orders/ticket.js';

/** A line as it is printed: at most as wide as the paper. */
export interface PaperLine {
  readonly text: string;
  readonly isLarge: boolean;
  readonly isBold: boolean;
}

const INDENT = '  ';
/** What must not be overlooked. */
const NOTE = '>> ';
/** Control characters, which printers obey, and those that change the direction of the text that follows. */
const OBEYED = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function toPaper(rows: readonly TicketRow[], columns: number): PaperLine[] {
  return rows.flatMap(({ style, text, end, indent = 0 }) => {
    const isLarge = style === 'large';
    const isBold = isLarge || style === 'strong' || style === 'note';
    const width = isLarge ? columns / 2 : columns;
    const before = INDENT.repeat(indent) + (style === 'note' ? NOTE : '');
    const plain = text.replace(/\s+/g, ' ').replace(OBEYED, '');
    const lines =
      style === 'rule'
        ? ['-'.repeat(columns)]
        : end === undefined
          ? wrap(plain, width - before.length).map((line) => before + line)
          : apart(plain, end.replace(/\s+/g, ' '), width);
    return lines.map((line) => ({ text: line, isLarge, isBold }));
  });
}

/** Puts the two texts at either end of a line. */
function apart(left: string, right: string, width: number): string[] {
  const lines = wrap(left, width);
  const last = lines.pop() ?? '';
  const gap = width - stringWidth(last) - stringWidth(right);
  return gap < 1
    ? [...lines, last, ' '.repeat(Math.max(0, width - stringWidth(right))) + right]
    : [...lines, last + ' '.repeat(gap) + right];
}

/** Wraps at spaces, and breaks words that are longer than the line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = (part: string, between: string) => {
    const wide = stringWidth(part);
    if (line !== '' && used + between.length + wide > width) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    const gap = line === '' ? '' : between;
    line += gap + part;
    used += gap.length + wide;
  };
  for (const word of text.split(' ')) {
    if (stringWidth(word) <= width) add(word, ' ');
    else [...graphemes.segment(word)].forEach(({ segment }, i) => add(segment, i === 0 ? ' ' : ''));
  }
  return line === '' ? lines : [...lines, line];
}
