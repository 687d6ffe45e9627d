/**
 * A tree of JSON text whose shared parts are kept once. Each fragment is a head, the fragments nested in it (written with
 * commas between them) and a tail. Memory follows the number of different fragments, not what they expand to.
 */
export interface Fragments {
  /** Heads and tails of all fragments, one after the other. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Fragment p has its head in text[cuts[2p], cuts[2p+1]) and its tail in text[cuts[2p+1], cuts[2p+2]). */
  readonly cuts: Uint32Array<ArrayBuffer>;
  /** Fragment p nests the fragments nested[starts[p]] to nested[starts[p+1] - 1]; all of them are smaller numbers than p. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly nested: Uint32Array<ArrayBuffer>;
}

const FIRST_CAPACITY = 64 * 1024;
const COMMA = 0x2c;

export function buildFragments() {
  let buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  let length = 0;
  const cuts = [0];
  const starts = [0];
  const allNested: number[] = [];

  const write = (text: string) => {
    const most = text.length * 3;
    if (length + most > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + most));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    length += buffer.write(text, length);
  };
  const add = (nested: readonly number[], tail: string) => {
    cuts.push(length);
    if (tail !== '') write(tail);
    cuts.push(length);
    for (const fragment of nested) allNested.push(fragment);
    starts.push(allNested.length);
    return starts.length - 2;
  };

  return {
    add(head: string, nested: readonly number[], tail: string): number {
      write(head);
      return add(nested, tail);
    },
    /** A JSON object without its opening brace, with a comma in its place; with a list after its last member, if one is named. */
    addObject(text: string, list: string | undefined, nested: readonly number[]): number {
      const start = length;
      write(text);
      buffer[start] = COMMA;
      if (list === undefined) return add(nested, '');
      length -= 1;
      write(`,"${list}":[`);
      return add(nested, ']}');
    },
    /** The last fragment added is the whole. */
    finish: (): Fragments => ({
      text: new Uint8Array(buffer.subarray(0, length)),
      cuts: new Uint32Array(cuts),
      starts: new Uint32Array(starts),
      nested: new Uint32Array(allNested),
    }),
  };
}

/** The same with a prefix before each head, which is not known before the fragments are built. */
export function prefixFragments(
  { text, cuts, starts, nested }: Fragments,
  prefixOf: (fragment: number) => string,
): Fragments {
  const count = starts.length - 1;
  const prefixes = Array.from({ length: count }, (_, fragment) => prefixOf(fragment));
  const added = prefixes.reduce((sum, prefix) => sum + Buffer.byteLength(prefix), 0);
  const out = Buffer.allocUnsafeSlow(text.length + added);
  const moved = new Uint32Array(cuts.length);
  let length = 0;
  prefixes.forEach((prefix, fragment) => {
    const from = valueAt(cuts, 2 * fragment);
    const to = valueAt(cuts, 2 * fragment + 2);
    moved[2 * fragment] = length;
    length += out.write(prefix, length);
    out.set(text.subarray(from, to), length);
    moved[2 * fragment + 1] = length + valueAt(cuts, 2 * fragment + 1) - from;
    length += to - from;
  });
  moved[2 * count] = length;
  return { text: out, cuts: moved, starts, nested };
}

export function rootOf(fragments: Fragments): number {
  return fragments.starts.length - 2;
}

export interface Measure {
  /** Bytes of each fragment with everything nested in it. */
  readonly bytes: Float64Array;
  /** How many fragments the whole is written from, counting a shared one each time. */
  readonly count: number;
}

/**
 * Computes what the whole expands to, in time that follows the number of references, before anything is built. `extraOf` tells
 * the bytes that a fragment has beside its text.
 */
export function measure({ cuts, starts, nested }: Fragments, extraOf = (_: number): number => 0): Measure {
  const total = starts.length - 1;
  const bytes = new Float64Array(total);
  const counts = new Float64Array(total);
  for (let fragment = 0; fragment < total; fragment += 1) {
    const from = valueAt(starts, fragment);
    const to = valueAt(starts, fragment + 1);
    let size = valueAt(cuts, 2 * fragment + 2) - valueAt(cuts, 2 * fragment) + Math.max(0, to - from - 1);
    size += extraOf(fragment);
    let count = 1;
    for (let position = from; position < to; position += 1) {
      size += valueAt(bytes, valueAt(nested, position));
      count += valueAt(counts, valueAt(nested, position));
    }
    bytes[fragment] = size;
    counts[fragment] = count;
  }
  return { bytes, count: valueAt(counts, total - 1) };
}

const NOT_WRITTEN = -1;

/** Writes the whole into one buffer; a fragment that occurs again is copied from where it was written first. */
export function assemble(fragments: Fragments): Buffer<ArrayBuffer> {
  const { bytes } = measure(fragments);
  const root = rootOf(fragments);
  const out = Buffer.allocUnsafeSlow(valueAt(bytes, root));
  const text = Buffer.from(fragments.text.buffer, fragments.text.byteOffset, fragments.text.byteLength);
  const writtenAt = new Float64Array(bytes.length).fill(NOT_WRITTEN);
  let end = 0;

  const copyText = (from: number, to: number) => {
    end += text.copy(out, end, from, to);
  };
  const write = (fragment: number) => {
    const before = valueAt(writtenAt, fragment);
    if (before !== NOT_WRITTEN) {
      out.copyWithin(end, before, before + valueAt(bytes, fragment));
      end += valueAt(bytes, fragment);
      return;
    }
    const start = end;
    copyText(valueAt(fragments.cuts, 2 * fragment), valueAt(fragments.cuts, 2 * fragment + 1));
    const from = valueAt(fragments.starts, fragment);
    const to = valueAt(fragments.starts, fragment + 1);
    for (let position = from; position < to; position += 1) {
      if (position > from) {
        out[end] = COMMA;
        end += 1;
      }
      write(valueAt(fragments.nested, position));
    }
    copyText(valueAt(fragments.cuts, 2 * fragment + 1), valueAt(fragments.cuts, 2 * fragment + 2));
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
  const open = [{ fragment: root, next: valueAt(fragments.starts, root) }];
  yield* put(text, valueAt(fragments.cuts, 2 * root), valueAt(fragments.cuts, 2 * root + 1));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { fragment } = top;
    if (top.next === valueAt(fragments.starts, fragment + 1)) {
      yield* put(text, valueAt(fragments.cuts, 2 * fragment + 1), valueAt(fragments.cuts, 2 * fragment + 2));
      open.pop();
      continue;
    }
    if (top.next > valueAt(fragments.starts, fragment)) yield* put(comma, 0, 1);
    const child = valueAt(fragments.nested, top.next);
    top.next += 1;
    open.push({ fragment: child, next: valueAt(fragments.starts, child) });
    yield* put(text, valueAt(fragments.cuts, 2 * child), valueAt(fragments.cuts, 2 * child + 1));
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** A typed array is never asked past its end here; the fallback only satisfies the checker. */
export function valueAt(array: Uint32Array | Float64Array, index: number): number {
  return array[index] ?? 0;
}
