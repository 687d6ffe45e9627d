/** Few texts have a number of so many digits, or with an exponent; only these are read token by token. */
const CANDIDATE = /\d[\d.]{15}|\d[eE]/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** JSON has no word for infinity; this is how it writes one. */
const INFINITE = '1e999';

/**
 * Replaces every number with a fraction or an exponent that a double would round by one that no double holds. Integers stay:
 * those past 2^53 are known by their value. The text must be JSON: a quote that is never closed would be looked for in vain,
 * again and again.
 */
export function markInexactNumbers(text: string): string {
  if (!CANDIDATE.test(text)) return text;
  return text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || /^-?\d+$/.test(token) || isExact(token) ? token : INFINITE,
  );
}

/** Whether the number, written as the double that it is read as, still has the same value. */
function isExact(token: string): boolean {
  const sent = normalForm(token);
  return sent === undefined || sent === normalForm(String(Number(token)));
}

/** Equal for decimals of equal value; undefined if the text is not a number. */
function normalForm(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === '') return undefined;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
