import type { BenchDatabase } from '../servers/database.js';

/** Indexes that no insert needs while it runs; building them once at the end takes a fraction of the time. */
const DROPPABLE = ['orders_listed', 'orders_listed_by_status', 'order_search_grams'];

/** Runs a large load without those indexes, then builds the very same ones and brings the statistics up to date. */
export async function withoutIndexes(database: BenchDatabase, load: () => Promise<void>): Promise<void> {
  const definitions = await database.query<{ indexname: string; indexdef: string }>(
    'SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY ($1)',
    [DROPPABLE],
  );
  if (definitions.length !== DROPPABLE.length) throw new Error(`Not all there: ${DROPPABLE.join(', ')}`);
  for (const { indexname } of definitions) await database.query(`DROP INDEX ${indexname}`);
  await load();
  const build = (text: string) =>
    database.withClient(async (client) => {
      await client.query(`SET maintenance_work_mem = '512MB'`);
      await client.query(text);
    });
  await Promise.all(definitions.map(({ indexdef }) => build(indexdef)));
  await Promise.all(['orders', 'order_search', 'order_counts'].map((table) => build(`VACUUM ANALYZE ${table}`)));
}
