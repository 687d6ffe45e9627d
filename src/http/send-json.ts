import type { FastifyReply } from 'fastify';
import { SENT } from './sent.js';

/** Sends JSON that is text already. */
export function sendJsonText(reply: FastifyReply, text: string, status = 200): typeof SENT {
  reply.code(status).type('application/json; charset=utf-8').send(text);
  return SENT;
}
