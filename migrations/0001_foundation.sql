-- Merchants, stores and keys: small tables that a sharded installation copies to every node.

CREATE SEQUENCE store_numbers AS integer;

CREATE TABLE merchants (
  id            uuid PRIMARY KEY,
  created_at    timestamptz NOT NULL,
  brand_name    text NOT NULL,
  business_type text
);

CREATE INDEX merchants_in_order ON merchants (created_at, id);

-- store_key is the short number by which a store's own rows (menus, orders) are kept and sharded.
-- menu_version and stock_revision change with the store's menu: one row tells whether rendered bytes are still current.
CREATE TABLE stores (
  id              uuid PRIMARY KEY,
  store_key       integer NOT NULL UNIQUE,
  merchant_id     uuid NOT NULL REFERENCES merchants (id),
  created_at      timestamptz NOT NULL,
  name            json NOT NULL,
  currency        text,
  external_id     text,
  store_phone     text,
  contacts        json,
  address_line_1  text,
  address_line_2  text,
  address_line_3  text,
  timezone        text,
  city            text,
  postal_code     text,
  country         text,
  location_name   text,
  admin_area      text,
  phone_numbers   json,
  store_type      json,
  restaurant_configuration json,
  menu_version    bigint NOT NULL DEFAULT 0,
  stock_revision  bigint NOT NULL DEFAULT 0
);

CREATE INDEX stores_in_order ON stores (created_at, id);
CREATE INDEX stores_of_merchant ON stores (merchant_id, created_at, id);

-- Only the SHA-256 of a secret is kept. merchant_id IS NULL marks an operator key; store_ids IS NULL means every store.
CREATE TABLE api_keys (
  id           uuid PRIMARY KEY,
  secret_hash  bytea NOT NULL UNIQUE,
  merchant_id  uuid REFERENCES merchants (id),
  store_ids    uuid[],
  permissions  text[] NOT NULL,
  label        text,
  last_four    text NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  rotated_from uuid
);

CREATE INDEX api_keys_in_order ON api_keys (created_at, id);
CREATE INDEX api_keys_of_merchant ON api_keys (merchant_id, created_at, id);

-- The answer to a POST that carried an Idempotency-Key, written in the same transaction as the work itself.
CREATE TABLE idempotent_answers (
  owner       text NOT NULL,
  operation   text NOT NULL,
  client_key  text NOT NULL,
  fingerprint bytea NOT NULL,
  status      integer,
  body        text,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (owner, operation, client_key)
);

CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);
