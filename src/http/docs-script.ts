import fastify from 'fastify';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface DocsScript {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly tag: string;
}

/**
 * The reference's browser script. The package keeps it inside its own code and hands it out on a route, so a server
 * that never listens is asked for it, once, when somebody first opens the page.
 */
export async function loadDocsScript(): Promise<DocsScript> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const holder = fastify();
  await holder.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const answer = await holder.inject('/docs/js/scalar.js');
  await holder.close();
  if (answer.statusCode !== 200) throw new Error('The docs package no longer serves its script where it did');
  const plain = answer.rawPayload;
  return {
    plain,
    gzipped: await promisify(gzip)(plain),
    tag: hash('sha256', plain, 'hex').slice(0, 32),
  };
}
