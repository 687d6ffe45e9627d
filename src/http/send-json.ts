import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Body } from '../domain/body.js';
import type { Coding } from '../domain/coding.js';
import { setHeaders, type RawHeaders } from './raw-headers.js';
import { SENT } from './sent.js';

const CONTENT_TYPE = 'application/json; charset=utf-8';
const PLAIN: RawHeaders = ['content-type', CONTENT_TYPE];

export function jsonHeaders(coding: Coding): RawHeaders {
  return coding === 'identity' ? PLAIN : [...PLAIN, 'content-encoding', coding];
}

/** Sends JSON that is text already. */
export function sendJsonText(reply: FastifyReply, text: string, status = 200): typeof SENT {
  reply.code(status).type(CONTENT_TYPE).send(text);
  return SENT;
}

/** Sends JSON that is bytes already, whole or chunk by chunk at the pace of the client. */
export function sendJsonBytes(reply: FastifyReply, body: Body, coding: Coding = 'identity'): typeof SENT {
  setHeaders(reply, jsonHeaders(coding));
  if (body instanceof Uint8Array) {
    reply.send(body);
    return SENT;
  }
  if (body.length !== undefined) reply.header('content-length', body.length);
  reply.send(Readable.from(inTurns(body.chunks()), { objectMode: false }));
  return SENT;
}

/** A client that reads as fast as we write would otherwise keep the event loop to itself until the last chunk. */
async function* inTurns(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    await nextTurn();
  }
}
