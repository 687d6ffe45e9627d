import { errorAt, SheetErrors, type CellPosition } from './errors.js';

/** Rows and cells as a spreadsheet shows them: a blank line is a row, and a line break within quotes is not. Throws SheetErrors. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let i = 0;
  const isCellEnd = () => i === text.length || text[i] === delimiter || /[\r\n]/.test(text[i] ?? '');
  const readCell = (): string => {
    const start = i;
    if (text[i] !== '"') {
      while (!isCellEnd()) i += 1;
      return text.slice(start, i);
    }
    const cell = { row: rows.length, column: row.length };
    do {
      i = text.indexOf('"', i + 1) + 1;
      if (i === 0) throw refused(cell, 'the quote that begins here never ends');
    } while (text[i] === '"');
    if (!isCellEnd()) throw refused(cell, 'text follows the closing quote');
    return text.slice(start + 1, i - 1).replaceAll('""', '"');
  };
  for (;;) {
    row.push(readCell());
    if (text[i] === delimiter) {
      i += 1;
      continue;
    }
    rows.push(row);
    row = [];
    i += text.startsWith('\r\n', i) ? 2 : 1;
    if (i >= text.length) return rows;
  }
}

function refused(cell: CellPosition, message: string): SheetErrors {
  return new SheetErrors([errorAt(cell, message)]);
}

/** UTF-8, UTF-16 with a byte order mark (Excel's "Unicode text"), else Windows-1252, which any bytes are: that is a guess. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly guessed?: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: decodeWindows1252(bytes), guessed: 'Windows-1252' };
  }
}

const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** By hand: Node 20 decodes this encoding as Latin-1, which has no euro sign. */
function decodeWindows1252(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += FROM_0X80[byte - 0x80] ?? String.fromCharCode(byte);
  return text;
}
