import type { FastifyReply } from 'fastify';

/** Sends JSON that is text already. */
export function sendJsonText(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}
