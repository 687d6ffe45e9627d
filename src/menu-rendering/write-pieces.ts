import { at, measure, rootOf, type Pieces } from './pieces.js';

const COMMA = 0x2c;
const NOT_WRITTEN = -1;

/** Writes the whole into one buffer; a piece that occurs again is copied from where it was written first. */
export function assemble(pieces: Pieces): Buffer<ArrayBuffer> {
  const { bytes } = measure(pieces);
  const root = rootOf(pieces);
  const out = Buffer.allocUnsafeSlow(at(bytes, root));
  const text = Buffer.from(pieces.text.buffer, pieces.text.byteOffset, pieces.text.byteLength);
  const writtenAt = new Float64Array(bytes.length).fill(NOT_WRITTEN);
  let end = 0;

  const copyText = (from: number, to: number) => {
    end += text.copy(out, end, from, to);
  };
  const write = (piece: number) => {
    const before = at(writtenAt, piece);
    if (before !== NOT_WRITTEN) {
      out.copyWithin(end, before, before + at(bytes, piece));
      end += at(bytes, piece);
      return;
    }
    const start = end;
    copyText(at(pieces.cuts, 2 * piece), at(pieces.cuts, 2 * piece + 1));
    const from = at(pieces.starts, piece);
    const to = at(pieces.starts, piece + 1);
    for (let position = from; position < to; position += 1) {
      if (position > from) {
        out[end] = COMMA;
        end += 1;
      }
      write(at(pieces.nested, position));
    }
    copyText(at(pieces.cuts, 2 * piece + 1), at(pieces.cuts, 2 * piece + 2));
    writtenAt[piece] = start;
  };
  write(root);
  return out;
}

const CHUNK_BYTES = 128 * 1024;

/** Writes the whole chunk by chunk, for trees that are too large to be held. */
export function* streamPieces(pieces: Pieces): Generator<Buffer> {
  const text = Buffer.from(pieces.text.buffer, pieces.text.byteOffset, pieces.text.byteLength);
  const comma = Buffer.from(',');
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;

  function* put(source: Buffer, from: number, to: number): Generator<Buffer> {
    let start = from;
    while (start < to) {
      const copied = source.copy(chunk, filled, start, to);
      start += copied;
      filled += copied;
      if (filled < CHUNK_BYTES) return;
      yield chunk;
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      filled = 0;
    }
  }

  const root = rootOf(pieces);
  const open = [{ piece: root, next: at(pieces.starts, root) }];
  yield* put(text, at(pieces.cuts, 2 * root), at(pieces.cuts, 2 * root + 1));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { piece } = top;
    if (top.next === at(pieces.starts, piece + 1)) {
      yield* put(text, at(pieces.cuts, 2 * piece + 1), at(pieces.cuts, 2 * piece + 2));
      open.pop();
      continue;
    }
    if (top.next > at(pieces.starts, piece)) yield* put(comma, 0, 1);
    const child = at(pieces.nested, top.next);
    top.next += 1;
    open.push({ piece: child, next: at(pieces.starts, child) });
    yield* put(text, at(pieces.cuts, 2 * child), at(pieces.cuts, 2 * child + 1));
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
