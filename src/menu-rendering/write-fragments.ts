import { at, measure, rootOf, type Fragments } from './fragments.js';

const COMMA = 0x2c;
const NOT_WRITTEN = -1;

/** Writes the whole into one buffer; a fragment that occurs again is copied from where it was written first. */
export function assemble(fragments: Fragments): Buffer<ArrayBuffer> {
  const { bytes } = measure(fragments);
  const root = rootOf(fragments);
  const out = Buffer.allocUnsafeSlow(at(bytes, root));
  const text = Buffer.from(fragments.text.buffer, fragments.text.byteOffset, fragments.text.byteLength);
  const writtenAt = new Float64Array(bytes.length).fill(NOT_WRITTEN);
  let end = 0;

  const copyText = (from: number, to: number) => {
    end += text.copy(out, end, from, to);
  };
  const write = (fragment: number) => {
    const before = at(writtenAt, fragment);
    if (before !== NOT_WRITTEN) {
      out.copyWithin(end, before, before + at(bytes, fragment));
      end += at(bytes, fragment);
      return;
    }
    const start = end;
    copyText(at(fragments.cuts, 2 * fragment), at(fragments.cuts, 2 * fragment + 1));
    const from = at(fragments.starts, fragment);
    const to = at(fragments.starts, fragment + 1);
    for (let position = from; position < to; position += 1) {
      if (position > from) {
        out[end] = COMMA;
        end += 1;
      }
      write(at(fragments.nested, position));
    }
    copyText(at(fragments.cuts, 2 * fragment + 1), at(fragments.cuts, 2 * fragment + 2));
    writtenAt[fragment] = start;
  };
  write(root);
  return out;
}

const CHUNK_BYTES = 128 * 1024;

/** Writes the whole chunk by chunk, for trees that are too large to be held. */
export function* streamFragments(fragments: Fragments): Generator<Buffer> {
  const text = Buffer.from(fragments.text.buffer, fragments.text.byteOffset, fragments.text.byteLength);
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

  const root = rootOf(fragments);
  const open = [{ fragment: root, next: at(fragments.starts, root) }];
  yield* put(text, at(fragments.cuts, 2 * root), at(fragments.cuts, 2 * root + 1));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { fragment } = top;
    if (top.next === at(fragments.starts, fragment + 1)) {
      yield* put(text, at(fragments.cuts, 2 * fragment + 1), at(fragments.cuts, 2 * fragment + 2));
      open.pop();
      continue;
    }
    if (top.next > at(fragments.starts, fragment)) yield* put(comma, 0, 1);
    const child = at(fragments.nested, top.next);
    top.next += 1;
    open.push({ fragment: child, next: at(fragments.starts, child) });
    yield* put(text, at(fragments.cuts, 2 * child), at(fragments.cuts, 2 * child + 1));
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
