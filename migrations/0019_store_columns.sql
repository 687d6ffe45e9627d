-- outside a transaction
-- What a store can set.

-- intake: how it takes orders: settings, a pause, and how busy it is, as one document. intake_revision 0: never changed.
-- accept and in_pos_within_minutes: which orders need attention, and when. guest: how guests order. order_days: how long
-- final orders are kept. customer_days: how long their customers are.
ALTER TABLE stores ADD COLUMN IF NOT EXISTS intake jsonb,
  ADD COLUMN IF NOT EXISTS intake_revision integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS accept jsonb, ADD COLUMN IF NOT EXISTS in_pos_within_minutes integer,
  ADD COLUMN IF NOT EXISTS guest jsonb, ADD COLUMN IF NOT EXISTS order_days integer,
  ADD COLUMN IF NOT EXISTS customer_days integer;
