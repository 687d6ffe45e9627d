-- outside a transaction
-- What is kept of an order besides what its sender wrote. The columns come without a rewrite of the table.

-- portions: what it has taken of counted items, to be given back: a list of entity_id and units.
-- item_count and prep_minutes: how much of the kitchen it takes; NULL in orders from before: one item, no preparation.
-- reason and reason_text: why it was rejected or cancelled by the store.
-- attention_at: when it will need attention unless something happens to it before; NULL: never, as far as is known.
-- attention_raised: the reasons for which it was raised, each once.
-- place_...: the place as it was called when a guest ordered there; guest_token: the hash of the token that the guest follows the
-- order with.
-- is_erased: whether name, phone and comments have been erased.
-- local_hour: the hour on the clock of the store in which the order was created, numbered from the year 1. It is kept, because
-- a store may move to another time zone, and what was counted in an hour must be taken from the same one.
ALTER TABLE orders ADD COLUMN IF NOT EXISTS portions json,
  ADD COLUMN IF NOT EXISTS item_count integer, ADD COLUMN IF NOT EXISTS prep_minutes integer,
  ADD COLUMN IF NOT EXISTS reason text, ADD COLUMN IF NOT EXISTS reason_text text,
  ADD COLUMN IF NOT EXISTS attention_at timestamptz, ADD COLUMN IF NOT EXISTS attention_raised text[],
  ADD COLUMN IF NOT EXISTS place_id uuid, ADD COLUMN IF NOT EXISTS place_label text,
  ADD COLUMN IF NOT EXISTS place_kind text, ADD COLUMN IF NOT EXISTS guest_token bytea,
  ADD COLUMN IF NOT EXISTS is_erased boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS local_hour integer;

-- key_id NULL: what the service did by the clock. The space of removed rows is used again only after a vacuum.
ALTER TABLE order_history ALTER COLUMN key_id DROP NOT NULL,
  SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

ALTER TABLE order_search SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The status that the first response under an Idempotency-Key had.
ALTER TABLE order_intake_keys ADD COLUMN IF NOT EXISTS status smallint NOT NULL DEFAULT 201;
