/** What every CSV file that we write has in common, whatever is in it. */

const MONTH = [
  'jan(?:uary|uar|vier|eiro)?|ene(?:ro)?|gen(?:naio)?|feb(?:ruary|ruar|rero|braio)?|f[eé]v(?:rier|ereiro)?',
  'mar(?:ch|zo|s|ço)?|märz?|mrz|apr(?:il|ile)?|abr(?:il)?|avr(?:il)?|mayo?|maio?|mag(?:gio)?|mei',
  'june?|juni?o?|juin|junho|giu(?:gno)?|jul(?:y|i|io|ho)?|juil(?:let)?|lug(?:lio)?|aug(?:ust)?|ago(?:sto)?|ao[uû]t',
  'sept?(?:ember|iembre|tembre)?|set(?:embro|tembre)?|o[ck]t(?:ober|ubre|obre)?|out(?:ubro)?|ott(?:obre)?',
  'nov(?:ember|iembre|embre|embro)?|de[cz](?:ember|embro)?|d[ié]c(?:iembre|embre)?',
].join('|');

/** Texts that a spreadsheet, in one language or another, takes for something else and saves in another way. */
const TAKEN_FOR_ANOTHER: readonly RegExp[] = [
  // A formula, or an apostrophe that it swallows.
  /^[=+\-@'＝＋－＠]/u,
  // A number, date or amount: .5, 007, 1E+2, 5 %, $5, 1/2, 12:30. A whole number of up to 15 digits stays as it is.
  /^(?!(?:0|[1-9]\d{0,14})$)[\s(\p{Sc}]*[.,]?\p{Nd}(?:[\p{Nd}\s.,:/'’%)\p{Sc}-]|e[+-]?(?=\p{Nd}))*$/iu,
  // A time: 9 PM, 12:30 p.m.
  /^\d{1,2}(?::\d{2}){0,2}\s*[ap]\.?\s?(?:m\.?)?$/i,
  // A day or month: Jan-26, 5 Mar, SEPT2, March 5, 2026.
  new RegExp(`^(?=.*\\d)(?:\\d{1,4}[\\s./,-]*)?(?:${MONTH})\\.?(?:[\\s./,-]*\\d{1,4}){0,2}$`, 'i'),
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|verdadeiro|vero|waar|onwaar)$/i,
  /^#(?:n\/a|ref!|name\?|div\/0!|null!|num!|value!)$/i,
];

function isTakenForAnother(text: string): boolean {
  return text !== text.trim() || TAKEN_FOR_ANOTHER.some((form) => form.test(text));
}

/** An apostrophe in front keeps a text what it is. */
export function markText(text: string): string {
  return isTakenForAnother(text) ? `'${text}` : text;
}

/** Only what needs the mark loses it: `'tis` typed by hand stays as it is. */
export function unmarkText(cell: string): string {
  return cell.startsWith("'") && isTakenForAnother(cell.slice(1)) ? cell.slice(1) : cell.trim();
}

/**
 * RFC 4180. What separates cells in any country is quoted, whatever separates them here: a program may guess another. Cells with
 * outer spaces are quoted too: some programs drop them otherwise.
 */
export function formatCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  const quote = (cell: string) =>
    /["\r\n,;\t]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((row) => `${row.map(quote).join(delimiter)}\r\n`).join('');
}
