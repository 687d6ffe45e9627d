import type { Readable } from 'node:stream';
import { invalidJson } from '../domain/json.js';
import { dropRest } from './drop-rest.js';
import { HttpRefusal } from './error-table.js';

/**
 * The pieces of a body as they arrive; a sender that falls silent for too long is refused. When the reader stops
 * early, the rest is read and dropped, so that the client gets to see the answer.
 */
export async function* readPieces(
  body: Readable,
  idleSeconds: number,
  onIdle: () => void,
): AsyncGenerator<Uint8Array> {
  const pieces = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await withinSeconds(
        idleSeconds,
        pieces.next() as Promise<IteratorResult<Uint8Array>>,
        onIdle,
      );
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw fromBody(error);
  } finally {
    // The iterator's own listener, which would keep the rest from flowing.
    body.removeAllListeners('readable');
    dropRest(body);
  }
}

async function withinSeconds<T>(seconds: number, work: Promise<T>, onIdle: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onIdle();
      reject(new HttpRefusal(408, `No data for ${seconds} seconds`));
    }, seconds * 1000);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function fromBody(error: unknown): unknown {
  if (error instanceof HttpRefusal || !(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return invalidJson(0, 'The compressed body is damaged');
  }
  return code === 'ECONNRESET' ? new HttpRefusal(400, 'The request was cut off') : error;
}
