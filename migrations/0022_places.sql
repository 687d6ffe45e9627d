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
