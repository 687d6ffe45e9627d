import type { ByteStream, Lines, StreamedBody } from './call.js';
import { ComandaError } from './errors.js';

/** Converts a body to what fetch can send. */
export function toSendable(body: StreamedBody): string | Uint8Array<ArrayBuffer> | ByteStream {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  const pieces = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: IteratorResult<string | Uint8Array, unknown> = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
    },
    async cancel(reason) {
      await pieces.return?.(reason);
    },
  });
}

/** Passes the bytes on and translates errors of the stream. A missing stream is empty. */
export function explainingErrors(bytes: ByteStream | null, explain: (error: unknown) => unknown): ByteStream {
  const reader = bytes?.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader?.read();
        if (next?.value === undefined) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(explain(error));
      }
    },
    async cancel(reason) {
      await reader?.cancel(reason);
    },
  });
}

/** Yields the chunks; leaving the loop cancels the stream. Not every browser can iterate a stream directly. */
export async function* readPieces(bytes: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = bytes.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isWhole) await reader.cancel().catch(() => undefined);
  }
}

/** Reads a body as text; undefined if it exceeds the given number of decompressed bytes. */
export async function readTextUpTo(bytes: ByteStream, mostBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let size = 0;
  for await (const piece of readPieces(bytes)) {
    size += piece.length;
    if (size > mostBytes) return undefined;
    texts.push(decoder.decode(piece, { stream: true }));
  }
  return texts.join('') + decoder.decode();
}

/** The longest line of any response holds a whole menu, which the service limits to 16 MiB by default. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Splits chunks of text into lines without their line ends. Throws if a line is far too long. */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
  longest = LONGEST_LINE,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = '', ...others] = decoder.decode(piece, { stream: true }).split('\n');
    unfinished.push(first);
    length += first.length;
    if (length > longest)
      throw new ComandaError(
        `A line of the response is longer than ${longest} characters; check the base URL`,
      );
    for (const next of others) {
      yield unfinished.join('');
      unfinished = [next];
      length = next.length;
    }
  }
  const last = unfinished.join('') + decoder.decode();
  if (last !== '') yield last;
}

export function toLines<T>(bytes: ByteStream): Lines<T> {
  return { bytes, [Symbol.asyncIterator]: () => parseLines<T>(bytes) };
}

async function* parseLines<T>(bytes: ByteStream): AsyncGenerator<T> {
  let number = 0;
  for await (const line of splitLines(readPieces(bytes))) {
    number += 1;
    if (line.trim() !== '') yield parseLine(line, number) as T;
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ComandaError(`Line ${number} of the response is not JSON: ${shorten(line)}`, { cause: error });
  }
}

function shorten(line: string): string {
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
