import type { PoolConfig } from 'pg';
import { startForTest, type ServiceProcess } from './process.js';
import type { Service } from './service.js';

const OPERATOR_KEY = 'operator-key-for-tests-0123456789abcdef';

/**
 * A process of the built service on a database that others may use too; it sends webhooks, also to the loopback. It ends with
 * the test, unless `start` says otherwise.
 */
export async function startProcessOn(
  connection: PoolConfig,
  environment: Record<string, string>,
  start = startForTest,
): Promise<ServiceProcess> {
  const running = await start({
    DATABASE_URL: urlOf(connection),
    COMANDA_OPERATOR_KEY: OPERATOR_KEY,
    COMANDA_WEBHOOK_ALLOW: '127.0.0.0/8',
    COMANDA_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ...environment,
  });
  await running.untilReady(60_000);
  return running;
}

/** The parts of a service that the other helpers use. */
export function asService({ url }: Pick<ServiceProcess, 'url'>): Service {
  return { url, operatorKey: OPERATOR_KEY } as Service;
}

export function urlOf({ host, port, user, password, database }: PoolConfig): string {
  const url = new URL('postgres://localhost/');
  url.username = user ?? '';
  url.password = typeof password === 'string' ? password : '';
  url.pathname = database ?? '';
  url.searchParams.set('host', host ?? '');
  url.searchParams.set('port', String(port ?? 5432));
  return url.href;
}
