import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { HttpRefusal } from '../http/errors.js';

/** A status of a printer is a few hundred bytes. */
const MOST_BYTES = 8 * 1024;
const POLL_EVERY_MS = 1_000;
const MOST_REMEMBERED = 10_000;

export async function readSmallBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () => new HttpRefusal(413, `The body is larger than ${MOST_BYTES} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      request.resume();
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Who asks again within a second gets nothing, unless it has printed something in between. */
export function createPollPace(): { isTooSoon(id: string): boolean; hasPrinted(id: string): void } {
  const last = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return {
    isTooSoon: (id) => {
      const now = performance.now();
      const before = last.get(id);
      if (before !== undefined && now - before < POLL_EVERY_MS) return true;
      last.set(id, now);
      return false;
    },
    hasPrinted: (id) => void last.delete(id),
  };
}
