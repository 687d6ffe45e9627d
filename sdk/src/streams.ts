import type { ByteStream, Lines, StreamedBody } from './call.js';

/** What fetch can send of it. */
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

/** The same bytes; what breaks the stream is made into another error. A missing stream is an empty one. */
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

export function toLines<T>(bytes: ByteStream): Lines<T> {
  return { bytes, [Symbol.asyncIterator]: () => readLines<T>(bytes) };
}

async function* readLines<T>(bytes: ByteStream): AsyncGenerator<T> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T;
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
