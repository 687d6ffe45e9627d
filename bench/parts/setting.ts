import { randomUUID } from 'node:crypto';
import type { Bench } from '../bench.js';
import { createTenant, type Tenant } from '../data/tenant.js';
import { childrenOf } from '../measure/process-usage.js';
import type { BenchDatabase } from '../servers/database.js';
import { startService, type Service } from '../servers/service.js';

/** A service on an empty database of its own, with a merchant and a key. */
export interface Setting {
  readonly database: BenchDatabase;
  readonly service: Service;
  readonly tenant: Tenant;
}

export interface SettingOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

/** Runs the work and stops the service, whatever happens. */
export async function withService<T>(
  bench: Bench,
  work: (setting: Setting) => Promise<T>,
  { env = {}, nodeArgs = [] }: SettingOptions = {},
): Promise<T> {
  const database = await bench.postgres.createDatabase(`bench_${randomUUID().replaceAll('-', '')}`);
  return withServiceOn(
    bench,
    database,
    env,
    async (service) => {
      return work({ database, service, tenant: await createTenant(service) });
    },
    nodeArgs,
  );
}

/** Another process of the service on a database that is there already. */
export async function withServiceOn<T>(
  bench: Bench,
  database: BenchDatabase,
  env: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<T>,
  nodeArgs: readonly string[] = [],
): Promise<T> {
  const service = await startService(
    { DATABASE_URL: database.url, COMANDA_DATA_DIR: bench.folder, ...env },
    nodeArgs,
  );
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** The processes that serve: the one that was started and, in a cluster, its workers. */
export async function pidsOf(service: Service): Promise<number[]> {
  return [service.pid, ...(await childrenOf(service.pid))];
}
