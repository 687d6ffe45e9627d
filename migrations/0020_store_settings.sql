-- accept and in_pos_within_minutes: which orders need attention, and when. guest: how guests order. order_days: how long
-- final orders are kept. customer_days: how long their customers are.
ALTER TABLE stores ADD COLUMN accept jsonb, ADD COLUMN in_pos_within_minutes integer, ADD COLUMN guest jsonb,
  ADD COLUMN order_days integer, ADD COLUMN customer_days integer;

-- attention_at: when the order will need attention unless something happens to it before; NULL: never, as far as is known.
-- attention_raised: the reasons for which it was raised, each once.
ALTER TABLE orders ADD COLUMN attention_at timestamptz, ADD COLUMN attention_raised text[];
ALTER TYPE arriving_order ADD ATTRIBUTE attention_at timestamptz;

-- Of all stores: the clock looks for what is due, and what is not due costs nothing.
CREATE INDEX orders_by_attention ON orders (attention_at) WHERE attention_at IS NOT NULL;

-- Open orders may still become late.
UPDATE orders SET attention_at = ready_by WHERE status IN ('PENDING', 'ACCEPTED') AND ready_by > now();

-- NULL: what the service did by the clock.
ALTER TABLE order_history ALTER COLUMN key_id DROP NOT NULL;
