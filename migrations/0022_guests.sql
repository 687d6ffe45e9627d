-- The places at which guests order.

-- The code is in the address behind the QR code. It can be shown and printed again at any time; it is looked up by its hash,
-- so how long that takes tells nothing about it. token_seed: what the tokens of orders are made from; never shown.
CREATE TABLE places (
  store_key   integer NOT NULL,
  id          uuid NOT NULL,
  label       text NOT NULL,
  kind        text NOT NULL,
  external_id text,
  code        text NOT NULL,
  code_hash   bytea NOT NULL,
  token_seed  bytea NOT NULL,
  status      text NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (store_key, id)
);

CREATE UNIQUE INDEX places_by_code ON places (code_hash);
CREATE UNIQUE INDEX places_by_external_id ON places (store_key, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX places_in_order ON places (store_key, created_at, id);

-- The place as it was called when the guest ordered there, and the hash of the token that the guest follows the order with.
ALTER TABLE orders ADD COLUMN place_id uuid, ADD COLUMN place_label text, ADD COLUMN place_kind text,
  ADD COLUMN guest_token bytea;

CREATE INDEX orders_of_place ON orders (store_key, place_id, created_at) WHERE place_id IS NOT NULL;
CREATE INDEX orders_waiting_at_place ON orders (store_key, place_id) WHERE place_id IS NOT NULL AND status = 'PENDING';

-- most_open: how many orders of the place may be PENDING. most_recent: how many it may make from recent_since on.
ALTER TYPE arriving_order ADD ATTRIBUTE place_id uuid, ADD ATTRIBUTE place_label text, ADD ATTRIBUTE place_kind text,
  ADD ATTRIBUTE guest_token text, ADD ATTRIBUTE most_open integer, ADD ATTRIBUTE most_recent integer,
  ADD ATTRIBUTE recent_since timestamptz;
