import type { Database } from '../db/database.js';
import { createReadinessCheck } from '../db/migrate.js';
import { DatabaseUnavailable, DiskFull } from '../domain/errors.js';
import { requirePermission } from '../domain/key/principal.js';
import { json, jsonText } from './answer.js';
import { createComparison, type Authenticate } from './authentication.js';
import type { DiskWatch } from './disk-watch.js';
import type { Endpoint } from './router.js';

export interface System {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly isReady: () => boolean;
  readonly disk: DiskWatch;
  /** Prometheus text; in a cluster, that of all its processes together. */
  readonly readMetrics: () => Promise<string>;
  /** Opens the metrics beside an operator key: `Authorization: Bearer …`, which is what Prometheus sends. */
  readonly metricsToken: string | undefined;
  readonly documents: Readonly<Record<string, unknown>>;
}

/** What hosts and tools ask of the process itself; only the metrics want a key. */
export function systemEndpoints(system: System): Endpoint[] {
  const isDatabaseReady = createReadinessCheck(system.db);
  const isToken =
    system.metricsToken === undefined ? () => false : createComparison(`Bearer ${system.metricsToken}`);
  return [
    { method: 'GET', path: '/healthz', respond: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      respond: async () => {
        if (system.disk.isFull()) throw new DiskFull();
        if (!system.isReady() || !(await isDatabaseReady())) throw new DatabaseUnavailable();
        return json({ status: 'ready' });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      respond: async ({ request }) => {
        if (!isToken(request.headers.authorization)) {
          const { principal } = await system.authenticate(request, undefined);
          requirePermission(principal, 'operator');
        }
        const type = ['content-type', 'text/plain; version=0.0.4; charset=utf-8'];
        return { status: 200, headers: type, body: await system.readMetrics() };
      },
    },
    ...Object.entries(system.documents).map(([path, document]) => {
      const text = JSON.stringify(document);
      return { method: 'GET', path, respond: () => jsonText(text) };
    }),
  ];
}
