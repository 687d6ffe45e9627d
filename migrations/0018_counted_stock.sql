-- Stock that ends or counts.

-- until: when the override of in_stock is lifted. remaining: how many are left, NULL where nobody counts.
-- is_out: whether menus show that none is left. It follows `remaining` in a transaction of its own, which also moves the
-- stock revision: that is in another table, which a sharded installation keeps on another node than the orders.
ALTER TABLE menu_marks ADD COLUMN until timestamptz, ADD COLUMN remaining integer,
  ADD COLUMN is_out boolean NOT NULL DEFAULT false;

-- Where menus do not show yet what is left.
CREATE INDEX menu_marks_unshown ON menu_marks (store_key) WHERE remaining IS NOT NULL AND (remaining = 0) <> is_out;

-- due_at: when the first override of the store is to be lifted. is_counted: whether some item of the store is counted.
ALTER TABLE menu_states ADD COLUMN due_at timestamptz, ADD COLUMN is_counted boolean NOT NULL DEFAULT false;

CREATE INDEX menu_states_due ON menu_states (due_at) WHERE due_at IS NOT NULL;

-- What an order has taken of counted items, to be given back: a list of entity_id and units. In an arriving order: what it
-- asks for.
ALTER TABLE orders ADD COLUMN portions json;
ALTER TYPE arriving_order ADD ATTRIBUTE portions json;
