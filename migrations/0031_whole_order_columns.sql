-- outside a transaction
-- number: what the store calls out, 1 to 999 each day; NULL in orders from before, whose customer_name still ends in the place.
-- facts: JSON text with service, source, references, charges, discounts, tip, payments, delivery and custom, as far as the order
-- has them. due: what is to be paid, where that is not price + tax. reference_keys: hashes of its references.
-- line_totals: JSON text, price and tax of each line of an order that was checked against the menu.
ALTER TABLE orders ADD COLUMN IF NOT EXISTS number smallint, ADD COLUMN IF NOT EXISTS facts text,
  ADD COLUMN IF NOT EXISTS due bigint, ADD COLUMN IF NOT EXISTS reference_keys integer[],
  ADD COLUMN IF NOT EXISTS line_totals text;

-- Concurrently, so that nobody who writes waits for them.

-- The orders that others call by a name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_reference ON orders USING gin (reference_keys) WHERE reference_keys IS NOT NULL;

-- What the guests of a place owe. Orders from before have no number, and nobody could say that they were paid.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_owed ON orders (store_key, place_id, created_at)
  WHERE place_id IS NOT NULL AND number IS NOT NULL AND coalesce(due, price + tax) <> 0
    AND status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED');
