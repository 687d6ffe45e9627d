import { gramsOfSearch, phoneDigits } from '../orders/list/search-text.js';
import { FIRST_ID } from '../support/shape/id-cursor.js';
import type { Queryable } from '../postgres/database.js';

/** Shorter numbers are in no index. */
export const LEAST_DIGITS = 4;
/** The last digits of a number are those that the fewest others share. */
const GRAMS = 3;
const FOUND_AT_ONCE = 1_000;

/** The ids of the next orders of a store whose phone number has exactly these digits, by id. */
export async function findByPhone(
  db: Queryable,
  storeKey: number,
  phone: string,
  after = FIRST_ID,
): Promise<string[]> {
  const digits = phoneDigits(phone);
  const grams = gramsOfSearch(storeKey, '', digits).map(({ gram }) => gram);
  const rows = await db.read<{ id: string }>({
    name: 'customers-by-phone',
    text: `
      SELECT f.id FROM (
        SELECT s.id FROM order_search s
        WHERE s.store_key = $1 AND s.grams @> $2::integer[] AND NOT s.is_long AND s.digits = $3 AND s.id > $4
        UNION ALL
        SELECT s.id FROM order_search s
        WHERE s.store_key = $1 AND s.is_long AND s.digits = $3 AND s.id > $4
      ) f
      ORDER BY f.id LIMIT ${FOUND_AT_ONCE}`,
    values: [storeKey, grams.slice(-GRAMS), digits, after],
  });
  return rows.map(({ id }) => id);
}
