-- outside a transaction
-- Concurrently, so that nobody who writes waits for them.

-- The orders that others call by a name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_reference ON orders USING gin (reference_keys) WHERE reference_keys IS NOT NULL;

-- What the guests of a place owe. Orders from before have no number, and nobody could say that they were paid.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_owed ON orders (store_key, place_id, created_at)
  WHERE place_id IS NOT NULL AND number IS NOT NULL AND coalesce(due, price + tax) <> 0
    AND status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED');
