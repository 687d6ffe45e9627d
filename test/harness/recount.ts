import type { Database } from '../../src/postgres/database.js';

/** Buckets of `order_counts` whose number differs from a recount of the orders, in one snapshot; all stores. */
export function wrongCounts(db: Pick<Database, 'query'>): Promise<object[]> {
  const statuses = [
    'pending',
    'customer_cancelled',
    'store_cancelled',
    'accepted',
    'rejected',
    'ready',
    'fulfilled',
  ];
  return db.query({
    name: 'test-wrong-counts',
    text: `
      WITH kept AS (
        SELECT c.store_key, c.level, c.bucket, ${statuses.map((name) => `sum(c.${name}) AS ${name}`).join(', ')}
        FROM order_counts c GROUP BY 1, 2, 3),
      counted AS (
        SELECT o.store_key, l.level, (floor((extract(epoch FROM o.created_at) + 62135596800) / 3600)::integer / l.hours) AS bucket,
          ${statuses.map((name) => `count(*) FILTER (WHERE o.status::text = upper('${name}')) AS ${name}`).join(', ')}
        FROM orders o CROSS JOIN (VALUES (0, 1), (1, 24), (2, 768)) AS l (level, hours) GROUP BY 1, 2, 3)
      SELECT store_key, level, bucket, k.*, r.* FROM kept k FULL JOIN counted r USING (store_key, level, bucket)
      WHERE (${statuses.map((name) => `coalesce(k.${name}, 0)`).join(', ')})
        IS DISTINCT FROM (${statuses.map((name) => `coalesce(r.${name}, 0)`).join(', ')})`,
  });
}
