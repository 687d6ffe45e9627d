-- Orders that leave, customers that are erased, and sales that stay.

-- Whether name, phone and comments have been erased.
ALTER TABLE orders ADD COLUMN is_erased boolean NOT NULL DEFAULT false;

-- Final orders by age: for removal, and for the erasure of those that are not erased yet.
CREATE INDEX orders_by_completion ON orders (store_key, is_erased, completed_at) WHERE completed_at IS NOT NULL;

-- By the id alone, which contains the number of the store: new rows go to the end of the index.
CREATE INDEX order_search_of_order ON order_search (id);

-- The space of removed rows is used again only after a vacuum.
ALTER TABLE order_history SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE order_search SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Orders that were erased on request, so that an older backup that still has their customers can be erased again. What the
-- setting of a store erases is not listed: the setting is in the backup, too.
CREATE TABLE erased_orders (
  order_id  uuid PRIMARY KEY,
  erased_at timestamptz NOT NULL
);

-- Work that one process of the installation does at a time. Whoever moves next_at has the turn until then, and may extend it.
CREATE TABLE upkeep_turns (
  work    text PRIMARY KEY,
  holder  uuid,
  next_at timestamptz NOT NULL
);

INSERT INTO upkeep_turns (work, next_at)
VALUES ('cleanup', '2000-01-01T00:00:00Z'), ('clock', '2000-01-01T00:00:00Z');

-- Sales.

-- local_hour: the hour on the clock of the store in which the order was created, numbered from the year 1. It is kept, because
-- a store may move to another time zone, and what was counted in an hour must be taken from the same one. NULL: the order
-- is not counted in the sales yet, because a version before this one wrote it; the service does so at leisure.
ALTER TABLE orders ADD COLUMN local_hour integer;
CREATE INDEX orders_uncounted ON orders (store_key, id) WHERE local_hour IS NULL;

-- sale: what count_sales takes.
ALTER TYPE arriving_order ADD ATTRIBUTE local_hour integer, ADD ATTRIBUTE sale json;

-- What orders came to, in local time, by status. Kept when the orders go. Levels of buckets: 0 hours, 1 days,
-- 2 hours of the day over 32 days, 24 buckets each. Slots are as in order_counts.
CREATE TABLE order_sales (
  store_key integer NOT NULL,
  level     smallint NOT NULL,
  bucket    integer NOT NULL,
  status    order_status NOT NULL,
  slot      smallint NOT NULL,
  orders    bigint NOT NULL,
  price     numeric NOT NULL,
  tax       numeric NOT NULL,
  PRIMARY KEY (store_key, level, bucket, status, slot)
) WITH (fillfactor = 50);

-- How many of each item were sold, cancelled or rejected, and for how much. Levels: 0 days, 1 stretches of 32 days.
-- external_id is '' for lines without one that can be read.
CREATE TABLE item_sales (
  store_key   integer NOT NULL,
  level       smallint NOT NULL,
  bucket      integer NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  outcome     text COLLATE "C" NOT NULL,
  slot        smallint NOT NULL,
  units       bigint NOT NULL,
  price       numeric NOT NULL,
  tax         numeric NOT NULL,
  PRIMARY KEY (store_key, level, bucket, external_id, outcome, slot)
) WITH (fillfactor = 50);
