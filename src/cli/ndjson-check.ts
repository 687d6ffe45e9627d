import { CommandFailed, EXIT } from './exit-codes.js';

/** Looks at newline-delimited JSON as it passes: every line is one object, and the last one is whole. */
export interface NdjsonCheck {
  add(chunk: Uint8Array): void;
  count(): number;
  /** The last line, once all have passed. */
  finish(): string;
}

const NEWLINE = 0x0a;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** Longer than any last line that someone asks about. */
const TAIL_BYTES = 4096;
/** Longer than any line that the service writes; the client library gives up a line at the same length. */
const LONGEST_LINE = 256 * 1024 * 1024;

export function createNdjsonCheck(): NdjsonCheck {
  let count = 0;
  let tail: Uint8Array = new Uint8Array();
  let before = NEWLINE;
  let lineBytes = 0;
  const broken = (line: number, why = 'it is not a JSON object') =>
    new CommandFailed(EXIT.failed, `Line ${line} of the answer is broken: ${why}. Try again.`);
  const addLinePart = (part: Uint8Array, isEnded: boolean) => {
    if (before === NEWLINE && part[0] !== OPENING) throw broken(count + 1);
    lineBytes += part.length;
    if (lineBytes > LONGEST_LINE) throw broken(count + 1, 'it has no end');
    const last = part.at(-1) ?? before;
    if (isEnded && last !== CLOSING) throw broken(count + 1);
    before = isEnded ? NEWLINE : last;
    if (!isEnded) return;
    count += 1;
    lineBytes = 0;
  };
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        addLinePart(chunk.subarray(start, end), true);
        start = end + 1;
      }
      if (start < chunk.length) addLinePart(chunk.subarray(start), false);
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    },
    count: () => count,
    finish: () => {
      if (before !== NEWLINE) throw broken(count + 1);
      return Buffer.from(tail).toString().trimEnd().split('\n').at(-1) ?? '';
    },
  };
}
