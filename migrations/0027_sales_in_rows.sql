-- Sales are added up by whoever writes orders, and sent to the functions as rows.

-- The orders of one local hour and status, and what they come to.
CREATE TYPE counted_orders AS (hour integer, status order_status, orders bigint, price numeric, tax numeric);

-- The units of one item in a local hour, by what became of them: sold, cancelled or rejected.
CREATE TYPE counted_items AS (
  hour integer, external_id text, outcome text, units bigint, price numeric, tax numeric);

-- The lines of an arriving order, added up by item.
-- Databases made before 0.2.0 was released may have `sale`; Citus loses IF EXISTS on the way to other nodes.
DO $$ BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute a
    WHERE a.attrelid = 'arriving_order'::regclass AND a.attname = 'sale' AND NOT a.attisdropped)
  THEN
    ALTER TYPE arriving_order DROP ATTRIBUTE sale;
  END IF;
END $$;
ALTER TYPE arriving_order ADD ATTRIBUTE sold_ids text[], ADD ATTRIBUTE sold_units bigint[],
  ADD ATTRIBUTE sold_prices numeric[], ADD ATTRIBUTE sold_taxes numeric[];

-- How far the orders from before 0.2.0 are counted in the sales of a store, newest first: those from (counted_from, counted_id)
-- on. Their rows stay as they are, so their hours are those of `timezone`, wherever the store moves.
CREATE TABLE sales_progress (
  store_key    integer PRIMARY KEY,
  timezone     text NOT NULL,
  counted_from timestamptz NOT NULL,
  counted_id   uuid NOT NULL,
  is_done      boolean NOT NULL
);

DROP FUNCTION IF EXISTS count_sales(integer, smallint, integer[], json[]);

INSERT INTO upkeep_turns (work, next_at) VALUES ('sales', '2000-01-01T00:00:00Z');
