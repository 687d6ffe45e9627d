import { encode } from 'uqr';

/** Sheets of QR codes to print and cut: A4 pages below each other in one SVG. Everything is in millimetres. */

const PAGE = { width: 210, height: 297 };
const COLUMNS = 3;
const ROWS = 4;
const CELL = { width: 60, height: 68 };
const CODE_SIZE = 46;
/** The white edge without which cameras do not find a code. */
const BORDER = 4;
const LABEL_SIZE = 7;
const TITLE_SIZE = 3.6;
/** About how wide a character is, by the size of its type. */
const CHARACTER = 0.6;

export interface CodeToPrint {
  readonly label: string;
  readonly url: string;
}

/** What stands on each card beside the code. */
export interface SheetWords {
  /** The store's name. */
  readonly title?: string | undefined;
  /** The guests' languages, in which the card says what to do. */
  readonly languages?: readonly string[] | undefined;
}

const SCAN: Readonly<Record<string, string>> = {
  en: 'Scan to order',
  es: 'Escanee para pedir',
  fr: 'Scannez pour commander',
  de: 'Scannen und bestellen',
  pt: 'Digitalize para pedir',
  ar: 'امسح الرمز للطلب',
};
const MOST_LANGUAGES = 3;

export function codeSheet(codes: readonly CodeToPrint[], words: SheetWords = {}): string {
  const pages = Math.max(1, Math.ceil(codes.length / (COLUMNS * ROWS)));
  const height = pages * PAGE.height;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width}mm" height="${height}mm" viewBox="0 0 ${PAGE.width} ${height}">` +
    `<rect width="100%" height="100%" fill="#fff"/>${codes.map((code, i) => cellAt(code, i, words)).join('')}</svg>\n`
  );
}

type Texts = { readonly translations: Readonly<Record<string, string>> };

/** The languages in which guests are spoken to: those of the store's name first, then those of its menu. */
export function guestLanguages(
  storeName: { readonly translations?: Readonly<Record<string, string>> },
  items: readonly { readonly name: Texts }[] = [],
): string[] {
  const texts = [storeName.translations ?? {}, ...items.map(({ name }) => name.translations)];
  return [...new Set(texts.flatMap((text) => Object.keys(text)))];
}

function scanWords(languages: readonly string[] = []): string {
  const known = languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '').filter((tag) => tag in SCAN);
  const told = [...new Set(known.length === 0 ? ['en'] : known)].slice(0, MOST_LANGUAGES);
  return told.map((tag) => SCAN[tag]).join(' · ');
}

function cellAt({ label, url }: CodeToPrint, i: number, { title = '', languages }: SheetWords): string {
  const onPage = i % (COLUMNS * ROWS);
  const left = (PAGE.width - COLUMNS * CELL.width) / 2 + (onPage % COLUMNS) * CELL.width;
  const top =
    Math.floor(i / (COLUMNS * ROWS)) * PAGE.height +
    (PAGE.height - ROWS * CELL.height) / 2 +
    Math.floor(onPage / COLUMNS) * CELL.height;
  const middle = CELL.width / 2;
  const line = (text: string, y: number, most: number, weight = 'normal') => {
    const size = Math.min(most, (CELL.width - 6) / Math.max(1, text.length * CHARACTER));
    return text === ''
      ? ''
      : `<text x="${middle}" y="${y}" text-anchor="middle" font-family="sans-serif" font-weight="${weight}" font-size="${size}">${escaped(text)}</text>`;
  };
  return (
    `<g transform="translate(${left} ${top})" data-label="${escaped(label)}">` +
    `<rect x="1" y="1" width="${CELL.width - 2}" height="${CELL.height - 2}" rx="3" fill="none" stroke="#bbb" stroke-width="0.2"/>` +
    line(title, 6, TITLE_SIZE) +
    `<g transform="translate(${(CELL.width - CODE_SIZE) / 2} 6.5)">${codeOf(url)}</g>` +
    line(label, 58.5, LABEL_SIZE, 'bold') +
    line(scanWords(languages), 64, TITLE_SIZE) +
    '</g>'
  );
}

/** The squares of a code, scaled to their size on the sheet. */
function codeOf(text: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return `<path transform="scale(${CODE_SIZE / size})" d="${path}" fill="#000" shape-rendering="crispEdges"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For XML and HTML. */
export function escaped(text: string): string {
  // What XML does not allow at all.
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return plain.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The labels that a text such as `Table {1..20}` stands for; one without a range is a label itself. */
export function expandLabels(text: string): string[] {
  const range = /\{(\d{1,6})\.\.(\d{1,6})\}/.exec(text);
  if (range === null) return [text];
  const [first, last] = [Number(range[1]), Number(range[2])];
  if (last < first || last - first >= MOST_LABELS) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => text.replace(range[0], String(first + i)));
}

const MOST_LABELS = 1_000;
