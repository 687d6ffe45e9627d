import type { IncomingMessage } from 'node:http';
import type { Database } from '../db/database.js';
import { createSchemaCheck } from '../db/migrate.js';
import { DatabaseUnavailable } from '../domain/errors.js';
import { requirePermission } from '../domain/key/principal.js';
import { isLoopback } from '../domain/loopback.js';
import { json, jsonText } from './answer.js';
import type { Authenticate } from './authentication.js';
import type { Endpoint } from './router.js';

export interface System {
  readonly db: Database;
  readonly authenticate: Authenticate;
  readonly isReady: () => boolean;
  /** Prometheus text; in a cluster, that of all its processes together. */
  readonly readMetrics: () => Promise<string>;
  readonly documents: Readonly<Record<string, unknown>>;
}

/** What hosts and tools ask of the process itself; only the metrics want a key, and only from afar. */
export function systemEndpoints(system: System): Endpoint[] {
  const isSchemaCurrent = createSchemaCheck(system.db);
  return [
    { method: 'GET', path: '/healthz', respond: () => json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      respond: async () => {
        if (!system.isReady() || !(await isSchemaCurrent())) throw new DatabaseUnavailable();
        return json({ status: 'ready' });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      respond: async ({ request }) => {
        if (!isFromThisMachine(request)) {
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

/** A request that a proxy on this machine passes on comes from somewhere else. */
function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers;
  return !isForwarded && isLoopback(socket.remoteAddress ?? '');
}
