import stringWidth from 'string-width';

/** Terminal control characters, except the line break, and those that change the direction of the text that follows. */
const OBEYED = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Invisible direction marks, which some names contain: removed without a replacement. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/** Makes text from elsewhere safe to print: one line, without control characters. */
export function toPlain(text: string): string {
  return toPlainLines(text.replace(/\s*[\r\n\t]+\s*/g, ' '));
}

/** Like toPlain, but keeps line breaks. */
export function toPlainLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, ' ')
    .replace(DIRECTION_MARKS, '')
    .replace(OBEYED, '\ufffd');
}

/** Equivalent JSON without terminal control characters. */
export function toSafeJson(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Like toSafeJson, for text that is JSON already. Outside strings there is nothing to escape; line breaks stay. */
export function escapeJson(json: string): string {
  const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(OBEYED, escape).replace(DIRECTION_MARKS, escape);
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
