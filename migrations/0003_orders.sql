-- Orders and what is kept beside them. Every row belongs to one store and leads its keys with store_key, so the tables
-- shard by store. Stores are never deleted, hence no foreign keys: they would cost every insert a lookup.

CREATE TYPE order_status AS ENUM (
  'PENDING', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED', 'ACCEPTED', 'REJECTED', 'READY', 'FULFILLED'
);

-- items is JSON kept as text, because jsonb would reorder keys and rewrite numbers.
-- name_key and digits_key are what filters compare; both are NULL where one is too long for an index row.
-- fingerprint tells whether a second order under the same external_id is the same one.
-- revision counts the changes and is what a change compares before it sets.
CREATE TABLE orders (
  store_key         integer NOT NULL,
  id                uuid NOT NULL,
  created_at        timestamptz NOT NULL,
  ready_by          timestamptz NOT NULL,
  completed_at      timestamptz,
  status            order_status NOT NULL,
  is_read           boolean NOT NULL,
  in_pos            boolean NOT NULL,
  revision          integer NOT NULL DEFAULT 0,
  price             bigint NOT NULL,
  tax               bigint NOT NULL,
  external_id       text,
  fingerprint       bytea NOT NULL,
  customer_name     text NOT NULL,
  customer_phone    text NOT NULL,
  name_key          text,
  digits_key        text,
  customer_comments text,
  items             text NOT NULL,
  PRIMARY KEY (store_key, id)
) WITH (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE UNIQUE INDEX orders_by_external_id ON orders (store_key, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX orders_listed ON orders (store_key, created_at, id) INCLUDE (status, name_key, digits_key);
CREATE INDEX orders_listed_by_status ON orders (store_key, status, created_at, id);

-- How many orders of each status were created in each bucket of time, changed in the transaction that changes the order.
-- Buckets are numbered from the year 1: level 0 hours, level 1 days, level 2 stretches of 32 days.
-- A bucket's number is the sum over its slots: writers in different processes use different slots and do not wait for
-- each other, so a single slot may well be negative.
CREATE TABLE order_counts (
  store_key          integer NOT NULL,
  level              smallint NOT NULL,
  bucket             integer NOT NULL,
  slot               smallint NOT NULL,
  pending            bigint NOT NULL DEFAULT 0,
  customer_cancelled bigint NOT NULL DEFAULT 0,
  store_cancelled    bigint NOT NULL DEFAULT 0,
  accepted           bigint NOT NULL DEFAULT 0,
  rejected           bigint NOT NULL DEFAULT 0,
  ready              bigint NOT NULL DEFAULT 0,
  fulfilled          bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_key, level, bucket, slot)
) WITH (fillfactor = 50);

-- Names and phones by their grams, apart from orders so that a change of status need not touch the GIN index.
-- Rows are written once. A gram's hash contains the store, which is why the index itself does not lead with it.
CREATE TABLE order_search (
  store_key  integer NOT NULL,
  id         uuid NOT NULL,
  created_at timestamptz NOT NULL,
  is_long    boolean NOT NULL,
  name       text NOT NULL,
  digits     text NOT NULL,
  grams      integer[] NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE INDEX order_search_grams ON order_search USING gin (grams) WITH (gin_pending_list_limit = 256);
CREATE INDEX order_search_long ON order_search (store_key, created_at, id) WHERE is_long;

CREATE TABLE order_history (
  store_key  integer NOT NULL,
  order_id   uuid NOT NULL,
  revision   integer NOT NULL,
  field      text NOT NULL,
  changed_at timestamptz NOT NULL,
  key_id     text NOT NULL,
  old_value  json,
  new_value  json NOT NULL,
  PRIMARY KEY (store_key, order_id, revision, field)
);

-- The Idempotency-Key an order was taken in with, after the id of the API key that sent it.
CREATE TABLE order_intake_keys (
  store_key   integer NOT NULL,
  client_key  text NOT NULL,
  order_id    uuid NOT NULL,
  fingerprint bytea NOT NULL,
  taken_at    timestamptz NOT NULL,
  PRIMARY KEY (store_key, client_key)
);

CREATE INDEX order_intake_keys_by_age ON order_intake_keys (store_key, taken_at);
