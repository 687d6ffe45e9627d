import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** The position of a reader: after an event of one store, or after events of several. */
export type Cursor = StoreCursor | AllStoresCursor;

interface StoreCursor {
  readonly of: 'store';
  readonly epoch: string;
  readonly storeKey: number;
  readonly sequence: number;
}

interface AllStoresCursor {
  readonly of: 'all stores';
  readonly epoch: string;
  /** The last sequence seen, by store key. */
  readonly positions: ReadonlyMap<number, number>;
}

const STORE = 1;
const ALL_STORES = 2;
/** Of so many stores that it must be short to fit into an address. */
const MANY_STORES = 3;
const MOST_SPELLED_OUT = 200;
const EPOCH_BYTES = 16;
const SUM_BYTES = 4;
const LEAST_BYTES = 1 + EPOCH_BYTES + SUM_BYTES;
const LONGEST_TEXT = 8_192;
const LARGEST_STORE_KEY = 0x7fff_ffff;

/**
 * Opaque to clients: the kind, the epoch, then delta-encoded store keys and sequences as variable-length numbers, and a
 * checksum that detects a mistyped cursor.
 */
export function encodeCursor(cursor: Cursor): string {
  const positions: [number, number][] =
    cursor.of === 'store'
      ? [[cursor.storeKey, cursor.sequence]]
      : [...cursor.positions].sort(([a], [b]) => a - b);
  const isLong = positions.length > MOST_SPELLED_OUT;
  const kind = cursor.of === 'store' ? STORE : isLong ? MANY_STORES : ALL_STORES;
  const head = Buffer.from([kind, ...epochBytes(cursor.epoch)]);
  const body = Buffer.concat([head, isLong ? packed(positions) : spelledOut(positions)]);
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([body, sum]).toString('base64url');
}

/** undefined if the text is not a cursor. */
export function decodeCursor(text: string): Cursor | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The base64 decoder skips unknown characters, but a cursor has only one spelling.
  if (bytes.length < LEAST_BYTES || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, -SUM_BYTES);
  if (bytes.readUInt32BE(body.length) !== crc32(body)) return undefined;
  const epoch = epochText(body.subarray(1, 1 + EPOCH_BYTES));
  const rest = body.subarray(1 + EPOCH_BYTES);
  const positions = body[0] === MANY_STORES ? unpacked(rest) : readPositions(rest);
  if (positions === undefined) return undefined;
  if (body[0] === ALL_STORES || body[0] === MANY_STORES) return { of: 'all stores', epoch, positions };
  const [position, second] = positions;
  if (body[0] !== STORE || position === undefined || second !== undefined) return undefined;
  return { of: 'store', epoch, storeKey: position[0], sequence: position[1] };
}

function spelledOut(positions: readonly (readonly [number, number])[]): Buffer {
  const bytes: number[] = [];
  let before = 0;
  for (const [storeKey, sequence] of positions) {
    pushNumber(bytes, storeKey - before);
    pushNumber(bytes, sequence);
    before = storeKey;
  }
  return Buffer.from(bytes);
}

/** Four bytes for the step from the store before, seven for the sequence. */
const STEP_BYTES = 4;
const ROW_BYTES = STEP_BYTES + 7;

/** The first bytes of all rows, then the second ones: most columns are nearly the same all the way, and compress to nothing. */
function packed(positions: readonly (readonly [number, number])[]): Buffer {
  const columns = Buffer.alloc(positions.length * ROW_BYTES);
  let before = 0;
  positions.forEach(([storeKey, sequence], row) => {
    let rest = storeKey - before;
    for (let column = 0; column < ROW_BYTES; column += 1) {
      if (column === STEP_BYTES) rest = sequence;
      columns[column * positions.length + row] = rest % 0x100;
      rest = Math.floor(rest / 0x100);
    }
    before = storeKey;
  });
  return deflateRawSync(columns);
}

function unpacked(bytes: Buffer): Map<number, number> | undefined {
  const columns = inflated(bytes);
  if (columns === undefined || columns.length % ROW_BYTES !== 0) return undefined;
  const rows = columns.length / ROW_BYTES;
  const numberAt = (row: number, from: number, to: number) => {
    let number = 0;
    for (let column = to - 1; column >= from; column -= 1)
      number = number * 0x100 + (columns[column * rows + row] ?? 0);
    return number;
  };
  const positions = new Map<number, number>();
  let storeKey = 0;
  for (let row = 0; row < rows; row += 1) {
    const step = numberAt(row, 0, STEP_BYTES);
    storeKey += step;
    const sequence = numberAt(row, STEP_BYTES, ROW_BYTES);
    if (step === 0 || storeKey > LARGEST_STORE_KEY || !Number.isSafeInteger(sequence)) return undefined;
    positions.set(storeKey, sequence);
  }
  return positions;
}

const MOST_ROWS = 10_000;

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_ROWS * ROW_BYTES });
  } catch {
    return undefined;
  }
}

function epochBytes(epoch: string): Buffer {
  return Buffer.from(epoch.replaceAll('-', ''), 'hex');
}

function epochText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}

function readPositions(bytes: Buffer): Map<number, number> | undefined {
  const numbers = readNumbers(bytes);
  if (numbers === undefined || numbers.length % 2 !== 0) return undefined;
  const positions = new Map<number, number>();
  let storeKey = 0;
  for (let i = 0; i < numbers.length; i += 2) {
    const step = numbers[i] ?? 0;
    storeKey += step;
    if (step === 0 || storeKey > LARGEST_STORE_KEY) return undefined;
    positions.set(storeKey, numbers[i + 1] ?? 0);
  }
  return positions;
}

function readNumbers(bytes: Buffer): number[] | undefined {
  const numbers: number[] = [];
  let number = 0;
  let place = 1;
  for (const byte of bytes) {
    number += (byte & 0x7f) * place;
    if (number > Number.MAX_SAFE_INTEGER) return undefined;
    place *= 0x80;
    if (byte > 0x7f) continue;
    numbers.push(number);
    number = 0;
    place = 1;
  }
  return place === 1 ? numbers : undefined;
}
