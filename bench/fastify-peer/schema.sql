CREATE SCHEMA peer;
CREATE TABLE peer.stores (id text PRIMARY KEY, merchant_id text NOT NULL, name jsonb NOT NULL, created_at timestamptz NOT NULL);
CREATE TABLE peer.keys (hash bytea PRIMARY KEY, merchant_id text NOT NULL);
CREATE TABLE peer.entities (
  id          bigint GENERATED ALWAYS AS IDENTITY,
  store_id    text NOT NULL REFERENCES peer.stores,
  kind        text NOT NULL,
  position    integer NOT NULL,
  external_id text NOT NULL,
  body        jsonb NOT NULL,
  PRIMARY KEY (store_id, kind, external_id)
);
CREATE TABLE peer.orders (
  id             uuid PRIMARY KEY,
  store_id       text NOT NULL REFERENCES peer.stores,
  created_at     timestamptz NOT NULL,
  ready_by       timestamptz NOT NULL,
  completed_at   timestamptz,
  status         text NOT NULL,
  customer_name  text NOT NULL,
  customer_phone text NOT NULL,
  price          integer NOT NULL,
  tax            integer NOT NULL,
  is_read        boolean NOT NULL,
  in_pos         boolean NOT NULL,
  items          jsonb NOT NULL
);
CREATE INDEX ON peer.orders (store_id, created_at DESC, id DESC);
CREATE INDEX ON peer.orders (store_id, status, created_at DESC, id DESC);
