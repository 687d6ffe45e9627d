-- outside a transaction
-- Indexes on tables that may be large: concurrently, so that nobody who writes waits for them.

-- Where menus do not show yet what is left.
CREATE INDEX CONCURRENTLY IF NOT EXISTS menu_marks_unshown ON menu_marks (store_key)
  WHERE remaining IS NOT NULL AND (remaining = 0) <> is_out;

CREATE INDEX CONCURRENTLY IF NOT EXISTS menu_states_due ON menu_states (due_at) WHERE due_at IS NOT NULL;

-- The load of a slot is counted from the orders that are to be ready in it, so there is no counter that could be wrong.
-- Orders that were ready long ago are in no slot.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_ready_by ON orders (store_key, ready_by) INCLUDE (item_count, prep_minutes)
  WHERE status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED') AND ready_by >= '2026-11-01T00:00:00Z';

-- Of all stores: the clock looks for what is due, and what is not due costs nothing.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_attention ON orders (attention_at) WHERE attention_at IS NOT NULL;

CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_of_place ON orders (store_key, place_id, created_at) WHERE place_id IS NOT NULL;

CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_waiting_at_place ON orders (store_key, place_id)
  WHERE place_id IS NOT NULL AND status = 'PENDING';

-- Final orders by age: for removal, and for the erasure of those that are not erased yet.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_completion ON orders (store_key, is_erased, completed_at)
  WHERE completed_at IS NOT NULL;

-- By the id alone, which contains the number of the store: new rows go to the end of the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS order_search_of_order ON order_search (id);
