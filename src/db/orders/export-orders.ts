import type { Queryable } from '../database.js';
import { importLine, TEXT_BYTES } from './order-json.js';

interface ExportRow {
  readonly id: string;
  readonly created_at: string;
  readonly line: string;
}

const ROWS_AT_ONCE = 250;
const BYTES_AT_ONCE = 250_000;

/**
 * All orders of a store, oldest first, as lines that the import takes. Each group is read when it is asked for and by a
 * query of its own, so a slow reader holds neither a connection nor a snapshot.
 */
export async function* exportOrders(db: Queryable, storeKey: number): AsyncGenerator<string> {
  let after = { created_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await db.query<ExportRow>({
      name: 'orders-export',
      text: EXPORT,
      values: [storeKey, after.created_at, after.id],
      repeatable: true,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => `${row.line}\n`).join('');
    after = last;
  }
}

// The running size stops a group early where orders are large; the first row always goes.
const EXPORT = `
  SELECT o.id, o.created_at::text AS created_at, ${importLine('(SELECT s.id FROM stores s WHERE s.store_key = $1)')} AS line
  FROM (
    SELECT o.*, sum(${TEXT_BYTES}) OVER (ORDER BY o.created_at, o.id) - ${TEXT_BYTES} AS size_before
    FROM (
      SELECT * FROM orders o
      WHERE o.store_key = $1 AND (o.created_at, o.id) > ($2::timestamptz, $3::uuid)
      ORDER BY o.created_at, o.id LIMIT ${ROWS_AT_ONCE}
    ) o
  ) o
  WHERE o.size_before < ${BYTES_AT_ONCE}
  ORDER BY o.created_at, o.id`;
