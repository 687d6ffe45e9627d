import type { Chunks, Response } from './response.js';

/* Server-Sent Events. An id is where a client that reconnects goes on. */

const RETRY_MS = 3_000;
/** Something is sent at least this often, so that nobody between takes the connection for dead. */
export const LONGEST_SILENCE_MS = 15_000;

/** A response without end: a client that does not take a message within `stallMs` is disconnected. */
export function eventStream(body: Chunks, stallMs: number): Response {
  const type = ['content-type', 'text/event-stream', 'x-content-type-options', 'nosniff'];
  return {
    status: 200,
    headers: [...type, 'cache-control', 'no-store', 'x-accel-buffering', 'no'],
    body,
    stallMs,
  };
}

/** The first message; with an id, a client that is disconnected before the next one knows where to go on. */
export function firstMessage(id?: string): string {
  return `retry: ${RETRY_MS}\n${idLine(id)}\n`;
}

export function message(event: string, id: string, data: string): string {
  return `${idLine(id)}event: ${event}\ndata: ${data}\n\n`;
}

/** Says nothing but that the stream is alive, and moves the id. */
export function silence(id?: string): string {
  return `:\n${idLine(id)}\n`;
}

function idLine(id: string | undefined): string {
  return id === undefined ? '' : `id: ${id}\n`;
}
