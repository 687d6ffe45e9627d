-- outside a transaction
-- local_hour NULL: an order from before this migration; sales_progress tells whether the sales count it. -1: no sales count it
-- yet, because a replica of 0.1.0 or the restore of an older backup wrote it; the service does so at leisure.
-- unlisted: items of the order that were on no menu when it was counted; the sales count them as one, without a name.
ALTER TABLE orders ADD COLUMN IF NOT EXISTS unlisted text[], ALTER COLUMN local_hour SET DEFAULT -1;

DROP INDEX CONCURRENTLY IF EXISTS orders_uncounted;

CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_not_counted ON orders (store_key, id) WHERE local_hour < 0;

-- The orders of these stores are to be counted; a store without a row has none from before.
INSERT INTO sales_progress (store_key, timezone, counted_from, counted_id, is_done)
SELECT s.store_key, 'UTC', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', false FROM stores s ON CONFLICT DO NOTHING;
