import stringWidth from 'string-width';

/** Terminal control characters, and those that change the direction of the text that follows. */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Makes what people wrote safe to print: one line, without control characters. */
export function toPlain(text: string): string {
  return text.replace(/\s*[\r\n\t]+\s*/g, ' ').replace(OBEYED, '\ufffd');
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Wraps at spaces. A word longer than the line gets a line of its own. */
export function wrapTo(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Leaves undefined as it is. */
export function ifGiven<Given, Made>(
  given: Given | undefined,
  make: (given: Given) => Made,
): Made | undefined {
  return given === undefined ? undefined : make(given);
}

/** Such as `1 order` or `2 orders`. */
export function counted(number: number, what: string, plural = `${what}s`): string {
  return `${number} ${number === 1 ? what : plural}`;
}
