-- outside a transaction
-- Stock that ends or counts.

-- until: when the override of in_stock is lifted. remaining: how many are left, NULL where nobody counts.
-- is_out: whether menus show that none is left. It follows `remaining` in a transaction of its own, which also moves the
-- stock revision: that is in another table, which a sharded installation keeps on another node than the orders.
ALTER TABLE menu_marks ADD COLUMN IF NOT EXISTS until timestamptz, ADD COLUMN IF NOT EXISTS remaining integer,
  ADD COLUMN IF NOT EXISTS is_out boolean NOT NULL DEFAULT false;

-- due_at: when the first override of the store is to be lifted. is_counted: whether some item of the store is counted.
ALTER TABLE menu_states ADD COLUMN IF NOT EXISTS due_at timestamptz,
  ADD COLUMN IF NOT EXISTS is_counted boolean NOT NULL DEFAULT false;
