import type { Body } from '../domain/body.js';
import type { Coding } from '../domain/coding.js';

/** Names and values in turn: the form that Node writes to the wire with the least work. */
export type RawHeaders = readonly string[];

/** Made while it is sent, at the pace of the client. */
export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** What a request is answered with; only http/send.ts puts it on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body?: string | Uint8Array | Chunks;
  /** Of an answer without end: a client that has not taken a chunk after so long is cut off. */
  readonly stallMs?: number;
}

const JSON_TYPE: RawHeaders = ['content-type', 'application/json', 'x-content-type-options', 'nosniff'];
const NOT_KEPT: RawHeaders = [...JSON_TYPE, 'cache-control', 'no-store'];

export function json(value: unknown, status = 200): Answer {
  return jsonText(JSON.stringify(value), status);
}

/** JSON that is text already. */
export function jsonText(text: string, status = 200): Answer {
  return { status, headers: NOT_KEPT, body: text };
}

/** JSON that is text already, or is made while it is sent; `caching` tells who may keep a copy. */
export function jsonKept(body: string | Chunks, caching: RawHeaders): Answer {
  return { status: 200, headers: [...JSON_TYPE, ...caching], body };
}

/** JSON that is bytes already, as a whole or in chunks; `caching` replaces the word that nobody may keep a copy. */
export function jsonBytes(body: Body, coding: Coding = 'identity', caching?: RawHeaders): Answer {
  const type = caching === undefined ? NOT_KEPT : [...JSON_TYPE, ...caching];
  const headers = coding === 'identity' ? type : [...type, 'content-encoding', coding];
  if (body instanceof Uint8Array) return { status: 200, headers, body };
  const length = body.length === undefined ? [] : ['content-length', String(body.length)];
  return { status: 200, headers: [...headers, ...length], body: body.chunks() };
}

export function noContent(): Answer {
  return { status: 204, headers: [] };
}

export function withHeaders(answer: Answer, headers: RawHeaders): Answer {
  return { ...answer, headers: [...answer.headers, ...headers] };
}
