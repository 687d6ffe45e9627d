import { fileURLToPath } from 'node:url';
import { startChild, type ChildServer } from './child-server.js';

/** The service as anyone runs it: built code, default log level, real keys, the rate limits on but out of the way. */
export interface Service extends ChildServer {
  ask<T>(request: Ask): Promise<T>;
}

interface Ask {
  readonly path: string;
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
}

const SERVER = fileURLToPath(new URL('../../../dist/server.js', import.meta.url));
const OPERATOR_KEY = 'operator-key-of-the-benchmarks-0123456789';
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  COMANDA_OPERATOR_KEY: OPERATOR_KEY,
  COMANDA_DEMO: 'off',
  COMANDA_RATE_LIMIT: '1000000',
  COMANDA_RATE_BURST: '1000000000',
  COMANDA_MENU_POSTS_PER_MINUTE: '1000000000',
};

export async function startService(
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<Service> {
  const child = await startChild(SERVER, [], { ...SETTINGS, ...env }, nodeArgs);
  return { ...child, ask: (request) => askJson(child.port, request) };
}

async function askJson<T>(port: number, { path, method, key = OPERATOR_KEY, body }: Ask): Promise<T> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
