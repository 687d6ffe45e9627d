import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { Body } from '../domain/body.js';
import type { Coding } from '../domain/coding.js';

/** Sends JSON that is bytes already, whole or chunk by chunk at the pace of the client. */
export function sendJsonBytes(reply: FastifyReply, body: Body, coding: Coding = 'identity'): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8');
  if (coding !== 'identity') reply.header('content-encoding', coding);
  if (body instanceof Uint8Array) return reply.send(body);
  if (body.length !== undefined) reply.header('content-length', body.length);
  return reply.send(Readable.from(body.chunks(), { objectMode: false }));
}
