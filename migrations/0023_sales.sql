-- What is kept when orders leave and customers are erased.

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
