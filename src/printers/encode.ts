import { drawLines, MOST_DRAWN } from './draw.js';
import type { PaperLine } from './paper.js';

/**
 * Tickets as bytes: ESC/POS for network printers, Star's commands for CloudPRNT. Text is sent in the printer's code pages, which
 * hold Latin, Cyrillic and Greek letters; lines with others are drawn. Commands are only those that print and cut: none opens the
 * drawer.
 */
export type Dialect = 'escpos' | 'star';

/** Latin, Central European, Cyrillic and Greek: the number under which each dialect selects the page, and its encoding. */
const PAGES = [
  { escpos: [16, 'windows-1252'], star: [32, 'windows-1252'] },
  { escpos: [45, 'windows-1250'], star: [33, 'windows-1250'] },
  { escpos: [46, 'windows-1251'], star: [34, 'windows-1251'] },
  { escpos: [47, 'windows-1253'], star: [18, 'iso-8859-7'] },
] as const;

interface Page {
  readonly number: number;
  readonly bytes: ReadonlyMap<string, number>;
}

const FIRST_PRINTED = 0xa0;

function readPage([number, label]: readonly [number, string]): Page {
  const decoder = new TextDecoder(label);
  const bytes = new Map<string, number>();
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    const character = decoder.decode(Uint8Array.of(byte));
    const code = character.codePointAt(0) ?? 0;
    if (code >= FIRST_PRINTED && code !== 0xfffd) bytes.set(character, byte);
  }
  return { number, bytes };
}

const pages: Readonly<Record<Dialect, readonly Page[]>> = {
  escpos: PAGES.map(({ escpos }) => readPage(escpos)),
  star: PAGES.map(({ star }) => readPage(star)),
};

const ESC = 0x1b;
const GS = 0x1d;

const COMMANDS = {
  escpos: {
    begin: [ESC, 0x40],
    page: (number: number) => [ESC, 0x74, number],
    bold: (isOn: boolean) => [ESC, 0x45, isOn ? 1 : 0],
    large: (isOn: boolean) => [GS, 0x21, isOn ? 0x11 : 0],
    // Feeds as far as the cutter, then leaves the paper hanging by one point.
    cut: [GS, 0x56, 0x42, 0],
  },
  star: {
    begin: [ESC, 0x40],
    page: (number: number) => [ESC, GS, 0x74, number],
    bold: (isOn: boolean) => [ESC, isOn ? 0x45 : 0x46],
    large: (isOn: boolean) => [ESC, 0x69, isOn ? 1 : 0, isOn ? 1 : 0],
    cut: [ESC, 0x64, 3],
  },
} as const;

/** Star's printers get a picture of the whole ticket where there is something to draw. */
export async function encodeTicket(
  copies: readonly (readonly PaperLine[])[],
  dialect: Dialect,
  columns: number,
): Promise<Uint8Array> {
  const commands = COMMANDS[dialect];
  const bytes: number[] = [];
  let left = dialect === 'escpos' ? MOST_DRAWN : 0;
  for (const lines of copies) {
    bytes.push(...commands.begin);
    let page: Page | undefined;
    for (const { text, isLarge, isBold } of lines) {
      if (left > 0 && !isPrintable(text)) {
        left -= 1;
        const { width, height, bytes: dots } = await drawLines([{ text, isLarge, isBold }], columns);
        bytes.push(GS, 0x76, 0x30, 0, width / 8, 0, height, 0, ...dots);
        continue;
      }
      bytes.push(...commands.bold(isBold), ...commands.large(isLarge));
      for (const character of printable(text)) {
        const code = character.charCodeAt(0);
        if (code >= 0x20 && code < 0x7f) {
          bytes.push(code);
          continue;
        }
        if (page?.bytes.has(character) !== true) {
          page = pageOf(character, dialect);
          if (page !== undefined) bytes.push(...commands.page(page.number));
        }
        bytes.push(page?.bytes.get(character) ?? QUESTION);
      }
      bytes.push(0x0a);
    }
    bytes.push(...commands.bold(false), ...commands.large(false), ...commands.cut);
  }
  return Uint8Array.from(bytes);
}

const QUESTION = 0x3f;

function pageOf(character: string, dialect: Dialect): Page | undefined {
  return pages[dialect].find(({ bytes }) => bytes.has(character));
}

/** Letters with marks that no page holds lose their marks. What is neither letter nor sign, such as an emoji, is left out. */
function printable(text: string): string[] {
  return Array.from(text.normalize('NFC')).flatMap((character) => {
    if (isKnown(character)) return [character];
    const base = Array.from(character.normalize('NFKD').replace(/\p{M}/gu, ''));
    if (base.length > 0 && base.every(isKnown)) return base;
    return /[\p{L}\p{N}]/u.test(character) ? ['?'] : [];
  });
}

function isKnown(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code >= 0x20 && code < 0x7f) || pageOf(character, 'escpos') !== undefined;
}

/** Whether the code pages hold every letter of a text. */
export function isPrintable(text: string): boolean {
  return printable(text.replaceAll('?', '')).every((character) => character !== '?');
}
