import { IncomingMessage, type ServerResponse } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { invalidJson, missingBody, parseBody, parseOptionalBody } from '../support/json.js';
import type { Limits } from '../support/limits.js';
import { compileBody, type UnknownKeys } from '../support/shape/compile-shape.js';
import { HttpRefusal } from './errors.js';
import type { BodyRoom } from './request-limits.js';
import type { BodySpec } from './route.js';

export type ReadBody = (request: IncomingMessage, response: ServerResponse, room?: BodyRoom) => unknown;

const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/** What a handler gets as its body: checked value, bytes or stream, as its route says. */
export function compileReadBody(
  spec: BodySpec,
  limits: Limits,
  tooLate: AbortSignal,
  unknownKeys: UnknownKeys,
): ReadBody {
  const maxMs = limits.requestSeconds * 1000;
  const readBytes = (request: IncomingMessage, maxBytes: number, room: BodyRoom | undefined) =>
    readBytesOf(request, JSON_BODY, { maxBytes, maxMs, tooLate, room });
  const most = { maxDepth: limits.jsonDepth, maxValues: limits.jsonValues, exactIntegers: true };
  switch (spec.kind) {
    case 'json': {
      const { schema, isOptional = false } = spec;
      const check = compileBody(schema, unknownKeys);
      const parse = isOptional ? parseOptionalBody : parseBody;
      return async (request, _response, room) => {
        if (isOptional && hasNoBody(request)) return undefined;
        const value = parse(await readBytes(request, limits.jsonBytes, room), most);
        return value === undefined ? undefined : check(value);
      };
    }
    case 'unchecked json':
      return async (request, _response, room) =>
        parseBody(await readBytes(request, limits.jsonBytes, room), most);
    case 'menu':
      return (request, _response, room) => readBytes(request, limits.menuBytes, room);
    case 'file': {
      const maxBytes = Math.min(spec.maxBytes, limits.menuBytes);
      const wanted = {
        isTaken: (type: string) =>
          spec.contentTypes.length === 0 || spec.contentTypes.includes(plainType(type)),
        names: spec.contentTypes.join(', '),
      };
      return async (request, _response, room) => ({
        bytes: await readBytesOf(request, wanted, { maxBytes, maxMs, tooLate, room }),
        type: plainType(request.headers['content-type'] ?? ''),
      });
    }
    case 'stream':
      return (request, response) => openStream(request, response, spec.contentType, limits);
  }
}

export function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

interface Reading {
  readonly maxBytes: number;
  /** The client's time; waits for room are not counted. */
  readonly maxMs: number;
  readonly tooLate: AbortSignal;
  readonly room: BodyRoom | undefined;
}

interface WantedType {
  readonly isTaken: (type: string) => boolean;
  readonly names: string;
}

const JSON_BODY: WantedType = { isTaken: (type) => JSON_TYPE.test(type), names: 'application/json' };

async function readBytesOf(request: IncomingMessage, wanted: WantedType, reading: Reading): Promise<Buffer> {
  const { maxBytes, tooLate } = reading;
  if (tooLate.aborted && !request.complete) throw timedOut();
  if (hasNoBody(request)) throw missingBody();
  if (!wanted.isTaken(request.headers['content-type'] ?? '')) {
    throw new HttpRefusal(415, `Unsupported Media Type: send ${wanted.names}`);
  }
  const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
  if (isPlain && Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Node's own requestTimeout would hold for the streamed import too, which may take hours, and would run while a body
  // waits for room that only we can give.
  return collect(decompress(request), reading);
}

/** The first bytes of a body that need no room: nearly every order. */
const FREE_BYTES = 64 * 1024;
/** A large body that brings less is refused while others wait for its room; about the slowest mobile network. */
const MIN_BYTES_A_SECOND = 16 * 1024;
const PACE_SECONDS = 2;

function collect(stream: Readable, { maxBytes, maxMs, tooLate, room }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let recent = 0;
    let pace: NodeJS.Timeout | undefined;
    let isLarge = false;
    let isOver = false;
    const refuseLate = () => fail(timedOut());
    const begun = performance.now();
    let clock = setTimeout(refuseLate, maxMs);
    tooLate.addEventListener('abort', refuseLate);
    const stopWatching = () => {
      isOver = true;
      clearTimeout(clock);
      clearInterval(pace);
      tooLate.removeEventListener('abort', refuseLate);
    };
    const refuseSlow = () => {
      if (isOver) return;
      if (recent < PACE_SECONDS * MIN_BYTES_A_SECOND && room?.isWanted() === true) refuseLate();
      recent = 0;
    };
    const enlarge = async () => {
      stream.pause();
      clearTimeout(clock);
      const used = performance.now() - begun;
      await room?.enlarge();
      if (isOver) return;
      pace = setInterval(() => setImmediate(refuseSlow), PACE_SECONDS * 1000);
      clock = setTimeout(refuseLate, maxMs - used);
      stream.resume();
    };
    const fail = (error: Error) => {
      stopWatching();
      stream.removeAllListeners('data');
      dropRest(stream);
      reject(error);
    };
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      recent += chunk.length;
      if (length > maxBytes) return fail(tooLarge(maxBytes));
      chunks.push(chunk);
      if (isLarge || length <= Math.min(FREE_BYTES, maxBytes / 2)) return;
      isLarge = true;
      enlarge().catch(fail);
    });
    // A client that left before anyone listened causes neither an end nor an error.
    const failAsCutOff = () => fail(cutOff());
    stream.on('end', () => {
      stopWatching();
      stream.off('close', failAsCutOff);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    });
    stream.on('error', (error) => fail(explainBroken(error)));
    stream.on('close', failAsCutOff);
    if (stream.destroyed) failAsCutOff();
  });
}

/**
 * The body as it arrives; a sender that falls silent for too long is refused. When the reader stops early, or has never
 * begun, the rest is read and dropped, so that the client gets to see the response.
 */
function openStream(
  request: IncomingMessage,
  response: ServerResponse,
  contentType: string,
  { importIdleSeconds }: Limits,
): AsyncIterable<Uint8Array> {
  if (!hasNoBody(request) && plainType(request.headers['content-type'] ?? '') !== contentType) {
    throw new HttpRefusal(415, `Unsupported Media Type: send ${contentType}`);
  }
  const body = decompress(request);
  // Also for a client that has left: a compressed body may be here whole and go on unpacking long after.
  response.once('close', () => dropRest(body));
  return readChunks(body, importIdleSeconds);
}

function plainType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

async function* readChunks(body: Readable, idleSeconds: number): AsyncGenerator<Uint8Array> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
  try {
    for (;;) {
      const next = await withinSeconds(idleSeconds, chunks.next());
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw error instanceof Error ? explainBroken(error) : error;
  } finally {
    // The iterator's own listener, which would keep the rest from flowing.
    body.removeAllListeners('readable');
    dropRest(body);
  }
}

async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const refuse = () => reject(new HttpRefusal(408, `No data for ${seconds} seconds`));
    timer = setTimeout(refuse, seconds * 1000);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function decompress(request: IncomingMessage): Readable {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  switch (coding) {
    case 'identity':
      return request.on('error', ignore);
    case 'gzip':
    case 'x-gzip':
      return through(request, createGunzip());
    case 'br':
      return unpackBrotli(request);
    default:
      throw new HttpRefusal(415, 'Unsupported content coding: send identity, gzip or br');
  }
}

function through(source: IncomingMessage, target: ReturnType<typeof createGunzip>): Readable {
  // Without a listener, an error would crash the process. The reader still gets it.
  target.on('error', ignore);
  source.on('error', (error) => target.destroy(error));
  source.on('aborted', () => target.destroy(cutOff()));
  if (source.destroyed) target.destroy(cutOff());
  target.on('close', () => source.unpipe(target).resume());
  return source.pipe(target);
}

/** Node unpacks brotli up to its end and says nothing of bytes that come after it; of gzip it does. */
function unpackBrotli(source: IncomingMessage): Readable {
  let received = 0;
  source.on('data', (chunk: Buffer) => (received += chunk.length));
  const unpacking = createBrotliDecompress();
  const toItsEnd = new PassThrough({
    flush: (done) => done(unpacking.bytesWritten < received ? damaged() : null),
  });
  return pipeline(through(source, unpacking), toItsEnd, ignore);
}

function ignore(): void {
  // The reader of the body gets its errors.
}

/**
 * Stops reading a body. What the client still sends is dropped as it comes, so that it gets to see the response; a body
 * that is being unpacked ends here, for the rest of it may be a thousand times what the client sent.
 */
function dropRest(body: Readable): void {
  if (body instanceof IncomingMessage) body.resume();
  else body.destroy(cutOff());
}

function explainBroken(error: Error): Error {
  const code = 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  if (code === 'ECONNRESET') return cutOff();
  return code.startsWith('Z_') || code.startsWith('ERR_') ? damaged() : error;
}

function damaged(): Error {
  return invalidJson(undefined, 'The compressed body is damaged');
}

function timedOut(): HttpRefusal {
  return new HttpRefusal(408, 'Request Timeout');
}

function cutOff(): HttpRefusal {
  return new HttpRefusal(400, 'The request was cut off');
}

function tooLarge(maxBytes: number): HttpRefusal {
  return new HttpRefusal(413, `The body is larger than ${maxBytes} bytes`);
}
