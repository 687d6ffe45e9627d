import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/**
 * Answers what no operation takes: the slash at the end wrong is 307 to the right path, a known path with another
 * method is 405 with what is allowed, the rest is 404. None of these needs a key.
 */
export function answerStrayRequests(app: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: toPattern(url), methods: [] };
    known.methods.push(...[method].flat());
    paths.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => answerStray(request, reply, [...paths.values()]));
}

function answerStray(
  request: FastifyRequest,
  reply: FastifyReply,
  paths: readonly KnownPath[],
): FastifyReply {
  const [path, query] = splitOnce(withoutOrigin(request.raw.url ?? '/'));
  const methods = methodsOf(path, paths);
  if (methods.length > 0) {
    return reply.code(405).header('allow', methods.join(', ')).send({ detail: 'Method Not Allowed' });
  }
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  // A path that begins with two slashes would read as another host.
  if (!other.startsWith('//') && methodsOf(other, paths).length > 0) {
    return reply
      .code(307)
      .header('location', query === undefined ? other : `${other}?${query}`)
      .send();
  }
  return reply.code(404).send({ detail: 'Not Found' });
}

function methodsOf(path: string, paths: readonly KnownPath[]): string[] {
  const methods = paths.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods);
  return [...new Set(methods)].sort();
}

function toPattern(url: string): RegExp {
  const source = url.split(/:\w+/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('[^/]+')}$`);
}

/** A request through a proxy may name the whole address. */
function withoutOrigin(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

function splitOnce(url: string): [string, string | undefined] {
  const at = url.indexOf('?');
  return at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
}
