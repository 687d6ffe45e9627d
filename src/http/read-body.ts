import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { TSchema } from 'typebox';
import { invalidJson, missingBody, parseBody, parseOptionalBody } from '../domain/json.js';
import type { Limits } from '../domain/limits.js';
import { compileBody } from '../domain/shape/compile-shape.js';
import { dropRest } from './drop-rest.js';
import { HttpRefusal } from './error-table.js';
import type { BodySpec } from './route.js';

export type ReadBody = (request: FastifyRequest) => Promise<unknown>;

const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/** How many bytes a body may come to; one that is compressed or does not tell, to the most that is allowed. */
export function bodySize({ headers }: FastifyRequest, { bodyBytes }: Limits): number {
  const stated = headers['content-encoding'] === undefined ? Number(headers['content-length']) : NaN;
  return Number.isNaN(stated) ? bodyBytes : Math.min(stated, bodyBytes);
}

/** What a handler gets as its body: checked value, bytes or stream, as its operation says. */
export function compileReadBody(spec: BodySpec, limits: Limits): ReadBody {
  switch (spec.kind) {
    case 'json':
      return readJson(spec.schema, spec.isOptional ?? false, limits);
    case 'bytes':
      return (request) => readJsonBytes(request, limits);
    case 'stream':
      return (request) => Promise.resolve(openStream(request, spec.contentType));
  }
}

function readJson(schema: TSchema, isOptional: boolean, limits: Limits): ReadBody {
  const check = compileBody(schema);
  const parse = isOptional ? parseOptionalBody : parseBody;
  return async (request) => {
    if (isOptional && hasNoBody(request)) return undefined;
    const value = parse(await readJsonBytes(request, limits), { maxDepth: limits.jsonDepth });
    return value === undefined ? undefined : check(value);
  };
}

async function readJsonBytes(request: FastifyRequest, limits: Limits): Promise<Buffer> {
  if (hasNoBody(request)) throw missingBody();
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new HttpRefusal(415, 'Unsupported Media Type: send application/json');
  }
  const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
  if (isPlain && Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits);
  return collect(decompress(request), limits);
}

function openStream(request: FastifyRequest, contentType: string): Readable {
  const type = request.headers['content-type'] ?? '';
  if (!hasNoBody(request) && type.split(';')[0]?.trim().toLowerCase() !== contentType) {
    throw new HttpRefusal(415, `Unsupported Media Type: send ${contentType}`);
  }
  return decompress(request);
}

function hasNoBody(request: FastifyRequest): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return false;
  return Number(request.headers['content-length'] ?? 0) === 0;
}

function decompress(request: FastifyRequest): Readable {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  switch (coding) {
    case 'identity':
      return request.raw;
    case 'gzip':
    case 'x-gzip':
      return through(request.raw, createGunzip());
    case 'br':
      return through(request.raw, createBrotliDecompress());
    default:
      throw new HttpRefusal(415, 'Unsupported content coding: send identity, gzip or br');
  }
}

function through(source: Readable, target: ReturnType<typeof createGunzip>): Readable {
  source.on('error', (error) => target.destroy(error));
  source.on('aborted', () => target.destroy(cutOff()));
  if (source.destroyed) target.destroy(cutOff());
  target.on('close', () => source.unpipe(target).resume());
  return source.pipe(target);
}

function collect(stream: Readable, limits: Limits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (error: unknown) => {
      stream.removeAllListeners('data');
      dropRest(stream);
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limits.bodyBytes) fail(tooLarge(limits));
      else chunks.push(chunk);
    });
    stream.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)),
    );
    stream.on('error', (error: NodeJS.ErrnoException) => fail(fromStream(error)));
    // A client that left before anyone listened causes neither an end nor an error.
    stream.on('close', () => fail(cutOff()));
    if (stream.destroyed) fail(cutOff());
  });
}

function fromStream(error: NodeJS.ErrnoException): Error {
  const isCorrupt = error.code?.startsWith('Z_') === true || error.code?.startsWith('ERR_') === true;
  if (error instanceof HttpRefusal) return error;
  return isCorrupt ? invalidJson(0, 'The compressed body is damaged') : cutOff();
}

function cutOff(): HttpRefusal {
  return new HttpRefusal(400, 'The request was cut off');
}

function tooLarge(limits: Limits): HttpRefusal {
  return new HttpRefusal(413, `The body is larger than ${limits.bodyBytes} bytes`);
}
