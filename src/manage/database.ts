import Type from 'typebox';
import type { Database } from '../db/database.js';
import { readUpkeep } from '../db/database-upkeep.js';
import { Datetime } from '../domain/shape/common-shapes.js';
import { json } from '../http/answer.js';
import { route, type Route } from '../http/route.js';

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const DatabaseState = Type.Object(
  {
    bytes: Count('The size of the whole database', 52_428_800),
    transaction_age: Count(
      'How many transactions ago the oldest row was last frozen; the database takes no writes from about 2,000,000,000 on',
      120_000,
    ),
    oldest_transaction_seconds: Count(
      'For how long a transaction has been open; none that it began after can be cleaned up after',
      0,
    ),
    tables: Type.Array(
      Type.Object(
        {
          name: Type.String({ examples: ['orders'] }),
          bytes: Count('Its size, indexes included', 31_457_280),
          live_rows: Count('About so many', 20_000),
          dead_rows: Count('About so many wait for a vacuum', 150),
          vacuumed_at: Type.Optional(Datetime({ examples: ['2030-01-01T12:00:00.000Z'] })),
        },
        { $id: 'TableState' },
      ),
      { description: 'The largest first' },
    ),
  },
  { $id: 'DatabaseState' },
);

/** What an operator asks about the database itself. */
export function databaseRoutes(db: Database): Route[] {
  return [
    route({
      method: 'GET',
      path: '/manage/v1/database',
      operationId: 'describe_database',
      tag: 'Backup',
      summary: 'How the database is kept',
      description:
        'Sizes, dead rows and the last vacuum of each table, as the database’s own statistics tell: estimates, a few seconds ' +
        'old. `comanda doctor` judges them. On Citus they are of all nodes together.',
      permission: 'operator',
      answers: [{ status: 200, description: 'The state of the database', schema: DatabaseState }],
      handler: async () => json(await readUpkeep(db)),
    }),
  ];
}
