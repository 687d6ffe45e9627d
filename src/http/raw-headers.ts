import type { FastifyReply } from 'fastify';

/** Names and values in turn: the form that Node writes to the wire with the least work. */
export type RawHeaders = readonly string[];

export function setHeaders(reply: FastifyReply, headers: RawHeaders): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
  return reply;
}
