import type { ServerResponse } from 'node:http';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CODINGS, type Body, type Coding } from './content-coding.js';

/** Names and values in turn: the form that Node writes to the wire with the least work. */
export type RawHeaders = readonly string[];

/** Made while it is sent, at the pace of the client. */
export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** What a request is answered with; only `send` puts it on the wire. */
export interface Response {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body?: string | Uint8Array | Chunks;
  /** For a response without end: a client that does not take a chunk within this time is disconnected. */
  readonly stallMs?: number;
}

const JSON_TYPE: RawHeaders = ['content-type', 'application/json', 'x-content-type-options', 'nosniff'];
const NO_STORE: RawHeaders = [...JSON_TYPE, 'cache-control', 'no-store'];

/** One JSON document a line. */
export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

export function json(value: unknown, status = 200): Response {
  return jsonText(wellFormed(JSON.stringify(value)), status);
}

/** An echo of what a caller sent may hold half a character, which strict readers of JSON refuse. */
function wellFormed(text: string): string {
  if (!text.includes('\\ud')) return text;
  return text.replace(ESCAPE, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}

/** JSON.stringify escapes nothing from U+D800 to U+DFFF but halves; a backslash of the text itself is a pair. */
const ESCAPE = /\\(?:u[\da-f]{4}|[^u])/g;

/** JSON that is text already, or is made while it is sent. */
export function jsonText(body: string | Chunks, status = 200): Response {
  return { status, headers: NO_STORE, body };
}

/** JSON that is bytes already, as a whole or in chunks; with `caching` in the place of `cache-control: no-store`. */
export function jsonBytes(body: Body, coding: Coding = 'identity', caching?: RawHeaders): Response {
  const type = caching === undefined ? NO_STORE : [...JSON_TYPE, ...caching];
  const headers = coding === 'identity' ? type : [...type, 'content-encoding', coding];
  if (body instanceof Uint8Array) return { status: 200, headers, body };
  const length = body.length === undefined ? [] : ['content-length', String(body.length)];
  return { status: 200, headers: [...headers, ...length], body: onceRead(body.chunks) };
}

/** HEAD reads nothing, so nothing must have begun for it. */
async function* onceRead(chunks: () => Chunks): AsyncGenerator<string | Uint8Array> {
  yield* chunks();
}

/** Documents that are made while they are sent, one a line. */
export function jsonLines(body: Chunks): Response {
  return { status: 200, headers: ['content-type', NDJSON, 'cache-control', 'no-store'], body };
}

/** A table as a file, where the client could have had JSON. */
export function csvFile(name: string, body: string): Response {
  const type = ['content-type', `${CSV}; charset=utf-8; header=present`, 'x-content-type-options', 'nosniff'];
  const disposition = ['content-disposition', `attachment; filename="${name}"`];
  return {
    status: 200,
    headers: [...type, ...disposition, 'cache-control', 'no-store', 'vary', 'accept'],
    body,
  };
}

export function noContent(): Response {
  return { status: 204, headers: [] };
}

export function withHeaders(response: Response, headers: RawHeaders): Response {
  return { ...response, headers: [...response.headers, ...headers] };
}

/**
 * Picks the coding to answer in from an Accept-Encoding header: the highest weight the client gives, and among equals ours
 * to prefer.
 */
export function negotiateCoding(acceptEncoding = '', offered: readonly Coding[] = CODINGS): Coding {
  if (acceptEncoding === '') return 'identity';
  const weights = readWeights(acceptEncoding);
  const weightOf = (coding: Coding) =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
  // Unless it is refused, identity is acceptable but never better than what the client names.
  let best: Coding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of offered) {
    const weight = coding === 'identity' ? 0 : weightOf(coding);
    if (weight === 0 || weight < bestWeight || (weight === bestWeight && best !== 'identity')) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    weights.set(name.trim(), parameters.length === 0 ? 1 : weightIn(parameters));
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((text) => text.trim()).find((text) => text.startsWith('q='));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}

/** If-None-Match: weak comparison, so `W/` does not matter. */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  const wanted = withoutWeakness(tag);
  return header.split(',').some((given) => {
    const text = given.trim();
    return text === '*' || withoutWeakness(text) === wanted;
  });
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** Default: only the client itself may keep a copy, and revalidates it before each use. */
export function tagHeaders(tag: string, cacheControl = 'private, no-cache'): RawHeaders {
  return ['etag', tag, 'cache-control', cacheControl];
}

export function notModified(caching: RawHeaders): Response {
  return { status: 304, headers: caching };
}

/**
 * Sends a response. One that is made in chunks may fail before the first of them and is then answered like any other error;
 * after it the promise rejects with the head sent, and the caller closes the connection.
 */
export async function send(response: ServerResponse, answer: Response, common: RawHeaders): Promise<void> {
  const { status, headers, body, stallMs } = answer;
  const all = [...headers, ...common];
  if (body === undefined) {
    response.writeHead(status, hasNoContent(status) ? all : [...all, 'content-length', '0']).end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' && body.length > SHORT_CHARACTERS ? Buffer.from(body) : body;
    response.writeHead(status, [...all, 'content-length', String(Buffer.byteLength(bytes))]).end(bytes);
  } else if (response.req.method === 'HEAD') {
    response.writeHead(status, all).end();
  } else {
    await sendChunks(response, body, () => response.writeHead(status, all), stallMs);
  }
}

/** A short text is sent together with the head; a long one would be encoded much more slowly that way. */
const SHORT_CHARACTERS = 2_000;

function hasNoContent(status: number): boolean {
  return status === 204 || status === 304;
}

/** Everything else gets a turn of the event loop after each chunk, however fast the client reads. */
async function sendChunks(
  response: ServerResponse,
  chunks: Chunks,
  sendHead: () => void,
  stallMs: number | undefined,
): Promise<void> {
  for await (const chunk of chunks) {
    if (!response.closed) {
      if (!response.headersSent) sendHead();
      response.write(chunk);
      await letOthersRun();
    }
    if (response.closed) return;
    if (response.writableNeedDrain) await drained(response, stallMs);
  }
  if (!response.headersSent) sendHead();
  response.end();
}

/** A client that reads nothing at all is cut by the stall timeout of its connection, which ends the wait. */
function drained(response: ServerResponse, stallMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
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
