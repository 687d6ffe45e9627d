import type { ServerResponse } from 'node:http';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Answer, Chunks, RawHeaders } from './answer.js';

/**
 * Puts an answer on the wire. What is made chunk by chunk may still fail before the first of them, and is then answered
 * like any other failure; after it only a cut can tell the client, and the promise rejects with the head sent.
 */
export async function send(response: ServerResponse, answer: Answer, common: RawHeaders): Promise<void> {
  const { status, headers, body, stallMs } = answer;
  const all = [...headers, ...common];
  if (body === undefined) {
    response.writeHead(status, hasNoContent(status) ? all : [...all, 'content-length', '0']).end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    response.writeHead(status, [...all, 'content-length', String(Buffer.byteLength(body))]).end(body);
  } else if (response.req.method === 'HEAD') {
    response.writeHead(status, all).end();
  } else {
    await sendChunks(response, body, () => response.writeHead(status, all), stallMs);
  }
}

function hasNoContent(status: number): boolean {
  return status === 204 || status === 304;
}

/** A client that reads as fast as we write would otherwise keep the event loop to itself until the last chunk. */
async function sendChunks(
  response: ServerResponse,
  chunks: Chunks,
  sendHead: () => void,
  stallMs: number | undefined,
): Promise<void> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (response.closed) return;
    if (isFirst) sendHead();
    isFirst = false;
    if (!response.write(chunk)) await drained(response, stallMs);
    else await letOthersRun();
  }
  if (isFirst) sendHead();
  response.end();
}

/** A client that does not read at all is cut by the watch over the connections, which ends the wait. */
function drained(response: ServerResponse, stallMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    const late = stallMs === undefined ? undefined : setTimeout(() => response.destroy(), stallMs);
    const done = () => {
      clearTimeout(late);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
