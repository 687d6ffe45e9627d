/** What a terminal would obey: codes that move its cursor or colour it, and those that turn the direction of what follows. */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** The same but for the line break. */
const OBEYED_IN_LINES = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Marks of direction, which belong into some names; they are not seen, so nothing takes their place. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/** What others have stored or answered, made safe to show: on one line, and without a code that a terminal would obey. */
export function toPlain(text: string): string {
  return text
    .replace(/\s*[\r\n\t]+\s*/g, ' ')
    .replace(DIRECTION_MARKS, '')
    .replace(OBEYED, '\ufffd');
}

/** The same for a text of several lines, which stay. */
export function toPlainLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, ' ')
    .replace(DIRECTION_MARKS, '')
    .replace(OBEYED_IN_LINES, '\ufffd');
}

/** JSON for people and programs alike: it means the same, and holds no character that a terminal would obey. */
export function toSafeJson(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Of a text that is JSON already; outside its strings there is nothing to escape but line breaks, which stay. */
export function escapeJson(json: string): string {
  const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(OBEYED_IN_LINES, escape).replace(DIRECTION_MARKS, escape);
}
