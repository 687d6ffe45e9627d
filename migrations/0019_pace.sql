-- How a store takes orders.

-- Settings, a pause, and how busy the store is, as one document. 0: never changed.
ALTER TABLE stores ADD COLUMN intake jsonb, ADD COLUMN intake_revision integer NOT NULL DEFAULT 0;

-- item_count and prep_minutes: how much of the kitchen an order takes; NULL in orders from before: one item, no preparation.
-- reason and reason_text: why it was rejected or cancelled by the store.
ALTER TABLE orders ADD COLUMN item_count integer, ADD COLUMN prep_minutes integer, ADD COLUMN reason text,
  ADD COLUMN reason_text text;

-- The load of a slot is counted from the orders that are to be ready in it, so there is no counter that could be wrong.
-- Orders that were ready long ago are in no slot.
CREATE INDEX orders_by_ready_by ON orders (store_key, ready_by) INCLUDE (item_count, prep_minutes)
  WHERE status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED') AND ready_by >= '2026-11-01T00:00:00Z';

-- slot_from to slot_to is the slot of the order's ready_by, where the store has a capacity; most_... what the slot takes.
ALTER TYPE arriving_order ADD ATTRIBUTE item_count integer, ADD ATTRIBUTE prep_minutes integer,
  ADD ATTRIBUTE slot_from timestamptz, ADD ATTRIBUTE slot_to timestamptz, ADD ATTRIBUTE most_orders integer,
  ADD ATTRIBUTE most_items integer, ADD ATTRIBUTE most_prep_minutes integer;
