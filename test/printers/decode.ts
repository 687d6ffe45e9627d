/** Readers of the commands of printers, written from their makers' tables; whatever they do not know is an error. */

interface PrintedLine {
  readonly text: string;
  readonly isLarge: boolean;
  readonly isBold: boolean;
}

interface Printed {
  readonly lines: readonly PrintedLine[];
  readonly cuts: number;
  readonly pictures?: readonly { width: number; height: number; bytes: Buffer }[];
}

interface State {
  readonly pictures: { width: number; height: number; bytes: Buffer }[];
  page: string;
  isLarge: boolean;
  isBold: boolean;
  cuts: number;
}

/** Reads the command at the start of the bytes, and returns how long it is. */
type ReadCommand = (bytes: Uint8Array, state: State) => number | undefined;

const ESCPOS_PAGES: Readonly<Record<number, string>> = {
  16: 'windows-1252',
  45: 'windows-1250',
  46: 'windows-1251',
  47: 'windows-1253',
};
const STAR_PAGES: Readonly<Record<number, string>> = {
  32: 'windows-1252',
  33: 'windows-1250',
  34: 'windows-1251',
  18: 'iso-8859-7',
};

export function decodeEscPos(bytes: Uint8Array): Printed {
  return decode(bytes, (command, state) => {
    const [first, second, third = 0, fourth] = command;
    if (first === 0x1d && second === 0x76 && third === 0x30 && fourth === 0)
      return takePicture(command, state);
    if (first === 0x1b && second === 0x40) return reset(state, 2);
    if (first === 0x1b && second === 0x74) return setPage(state, ESCPOS_PAGES[third], 3);
    if (first === 0x1b && second === 0x45) return setBold(state, third === 1, 3);
    if (first === 0x1d && second === 0x21) return setLarge(state, third === 0x11, 3);
    if (first === 0x1d && second === 0x56 && third === 66 && fourth !== undefined) return cut(state, 4);
    return undefined;
  });
}

export function decodeStar(bytes: Uint8Array): Printed {
  return decode(bytes, ([first, second, third = 0, fourth = 0], state) => {
    if (first !== 0x1b) return undefined;
    if (second === 0x40) return reset(state, 2);
    if (second === 0x1d && third === 0x74) return setPage(state, STAR_PAGES[fourth], 4);
    if (second === 0x45 || second === 0x46) return setBold(state, second === 0x45, 2);
    if (second === 0x69 && third === fourth) return setLarge(state, third === 1, 4);
    if (second === 0x64 && third === 3) return cut(state, 3);
    return undefined;
  });
}

function decode(bytes: Uint8Array, readCommand: ReadCommand): Printed {
  const state: State = { page: 'none', isLarge: false, isBold: false, cuts: 0, pictures: [] };
  const lines: PrintedLine[] = [];
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const byte = bytes[i] ?? 0;
    if (byte === 0x0a) {
      lines.push({ text, isLarge: state.isLarge, isBold: state.isBold });
      text = '';
      i += 1;
    } else if (byte >= 0x20 && byte !== 0x7f) {
      text +=
        byte < 0x80 ? String.fromCharCode(byte) : new TextDecoder(state.page).decode(Uint8Array.of(byte));
      i += 1;
    } else {
      const length = readCommand(bytes.subarray(i), state);
      if (length === undefined) throw new Error(`Unknown command ${[...bytes.subarray(i, i + 4)].join(' ')}`);
      i += length;
    }
  }
  const { cuts, pictures } = state;
  return { lines, cuts, ...(pictures.length > 0 && { pictures }) };
}

function takePicture(command: Uint8Array, { pictures }: State): number {
  const [, , , , widthLow = 0, widthHigh = 0, heightLow = 0, heightHigh = 0] = command;
  const [rowBytes, height] = [widthLow + 256 * widthHigh, heightLow + 256 * heightHigh];
  const end = 8 + rowBytes * height;
  pictures.push({ width: rowBytes * 8, height, bytes: Buffer.from(command.subarray(8, end)) });
  return end;
}

function reset(state: State, length: number): number {
  Object.assign(state, { page: 'none', isLarge: false, isBold: false });
  return length;
}

function setPage(state: State, page: string | undefined, length: number): number {
  if (page === undefined) throw new Error('Unknown code page');
  state.page = page;
  return length;
}

function setBold(state: State, isOn: boolean, length: number): number {
  state.isBold = isOn;
  return length;
}

function setLarge(state: State, isOn: boolean, length: number): number {
  state.isLarge = isOn;
  return length;
}

function cut(state: State, length: number): number {
  state.cuts += 1;
  return length;
}
