-- Events: every change of a store, numbered per store from 1 on without gaps, in the order of the commits.

-- data is JSON kept as text, as it goes out.
CREATE TABLE events (
  store_key integer NOT NULL,
  sequence  bigint NOT NULL,
  id        uuid NOT NULL,
  type      text NOT NULL,
  at        timestamptz NOT NULL,
  data      text NOT NULL,
  PRIMARY KEY (store_key, sequence)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

-- Whoever writes events of a store advances its counter in the same transaction, as the last row that it locks: the
-- next number can then only be given once this one is committed or was never used.
-- first_sequence is the oldest event kept, and last_sequence + 1 where none is. A store without a row has had no event.
CREATE TABLE event_counters (
  store_key      integer PRIMARY KEY,
  first_sequence bigint NOT NULL,
  last_sequence  bigint NOT NULL
) WITH (fillfactor = 10);

-- Within an epoch a number never means two events. An installation that was filled from a backup may give numbers that
-- the one it came from has given since the backup was made, so it has an epoch of its own. This table has one row.
CREATE TABLE event_epoch (
  number smallint PRIMARY KEY CHECK (number = 1),
  epoch  uuid NOT NULL
);

INSERT INTO event_epoch (number, epoch) VALUES (1, gen_random_uuid());

-- revision is 1 at intake and grows by one with each change, of which updated_at is the last.
ALTER TABLE orders ADD COLUMN updated_at timestamptz;

UPDATE orders SET revision = orders.revision + 1, updated_at = coalesce(
  (SELECT max(h.changed_at) FROM order_history h WHERE h.store_key = orders.store_key AND h.order_id = orders.id),
  orders.created_at);

ALTER TABLE orders ALTER COLUMN updated_at SET NOT NULL, ALTER COLUMN revision SET DEFAULT 1;

CREATE INDEX orders_by_change ON orders (store_key, updated_at, id);
