import type { ByteStream } from './call.js';
import { readPieces, splitLines } from './streams.js';

/** One message of a stream of server-sent events. */
export interface Message {
  readonly id: string;
  /** Empty for a message that has only an id. */
  readonly data: string;
}

/** In characters; an event with its order is far below. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Yields the complete messages that have an id. A message that is cut off is never yielded. The caller can watch each
 * read, and reading ends when the caller stops.
 */
export async function* readMessages(
  bytes: ByteStream,
  watch: <T>(step: Promise<T>) => Promise<T>,
): AsyncGenerator<Message> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of splitLines(watched(readPieces(bytes), watch), LONGEST_LINE)) {
    const [, field, value] = /^([^:\r]*)(?:: ?(.*?))?\r?$/s.exec(line) ?? [];
    if (field === '' && value === undefined) {
      if (id !== undefined) yield { id, data: data.join('\n') };
      id = undefined;
      data = [];
    } else if (field === 'data') data.push(value ?? '');
    else if (field === 'id') id = value ?? '';
  }
}

async function* watched<T>(
  pieces: AsyncGenerator<T>,
  watch: <S>(step: Promise<S>) => Promise<S>,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const next: IteratorResult<T, unknown> = await watch(pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}
