import { Type } from '../support/shape/type.js';
import { createClientAddress } from '../http/client-address.js';
import { json } from '../http/response.js';
import { route, type Route } from '../http/route.js';
import { DatabaseState, readDatabaseStats } from '../postgres/database-stats.js';
import type { Database } from '../postgres/database.js';
import { NamedShape, OneOf } from '../support/shape/common-shapes.js';
import { coverOf, type Subnet } from '../support/subnet.js';

const Connection = NamedShape('Connection', {
  address: Type.String({ description: 'What the service takes for the client', examples: ['203.0.113.7'] }),
  forwarded: OneOf(['none', 'trusted', 'ignored'], {
    description: '`X-Forwarded-For`: not sent, sent by a trusted proxy, or sent by someone else',
    examples: ['trusted'],
  }),
  public_url: Type.Optional(
    Type.String({ description: '`COMANDA_PUBLIC_URL`', examples: ['https://orders.example'] }),
  ),
});

/** What `comanda doctor` asks about: the database, and the way to the service. */
export function doctorRoutes(db: Database, trustedProxies: readonly Subnet[], publicUrl?: string): Route[] {
  const addressOf = createClientAddress(trustedProxies);
  const isProxy = coverOf(trustedProxies);
  return [
    route('GET', '/manage/v1/connection', 'describe_connection', {
      tag: 'Backup',
      summary: 'Get how this request arrived',
      description:
        'Whose address the service sees, and whether it trusts the proxy. `comanda doctor --public` interprets it.',
      permission: 'read',
      responses: [{ status: 200, description: 'How the request arrived', schema: Connection }],
      handler: ({ request }) => {
        const isSent = request.headers['x-forwarded-for'] !== undefined;
        const forwarded = !isSent
          ? 'none'
          : isProxy(request.socket.remoteAddress ?? '')
            ? 'trusted'
            : 'ignored';
        return json({
          address: addressOf(request),
          forwarded,
          ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
        });
      },
    }),
    route('GET', '/manage/v1/database', 'describe_database', {
      tag: 'Backup',
      summary: 'Get database statistics',
      description:
        'Size, dead rows and last vacuum of each table, from the database’s own statistics: estimates that may be a few seconds ' +
        'old. `comanda doctor` interprets them. On Citus they cover all nodes.',
      permission: 'operator',
      responses: [{ status: 200, description: 'The state of the database', schema: DatabaseState }],
      handler: async () => json(await readDatabaseStats(db)),
    }),
  ];
}
