-- Webhooks: endpoints of merchants that are told of events, and how far each has come. None of these tables is
-- distributed: an endpoint's claims must be taken by one statement, whatever stores they are of.

-- store_ids NULL means every store of the merchant, types NULL every type. Secrets are sealed; sealed_with names the key
-- that opens them. The secret before a rotation signs along until old_secret_until. key_id made the endpoint.
-- failing_since is the first failure after the last success. A removed endpoint stays a day, for what is still under
-- way to it, and until its deliveries are gone.
CREATE TABLE webhooks (
  id               uuid PRIMARY KEY,
  merchant_id      uuid NOT NULL,
  store_ids        uuid[],
  url              text NOT NULL,
  types            text[],
  label            text,
  include_order    boolean NOT NULL,
  skip_own         boolean NOT NULL,
  key_id           text NOT NULL,
  status           text NOT NULL CHECK (status IN ('active', 'disabled', 'removed')),
  disabled_reason  text,
  sealed_with      text NOT NULL,
  secret           bytea NOT NULL,
  old_secret       bytea,
  old_secret_until timestamptz,
  created_at       timestamptz NOT NULL,
  failing_since    timestamptz,
  last_success_at  timestamptz,
  removed_at       timestamptz
);

CREATE INDEX webhooks_in_order ON webhooks (created_at, id);
CREATE INDEX webhooks_of_merchant ON webhooks (merchant_id, created_at, id);

-- Where an endpoint stands in the events of a store: after `sequence`. attempts, refusals and first_refused_at are of
-- the next event. Whoever holds lease_id sends, until lease_until; what it reports counts only while revision, which
-- grows when the endpoint is changed or the place is moved by hand, is still the one it began with.
CREATE TABLE webhook_cursors (
  webhook_id       uuid NOT NULL,
  store_key        integer NOT NULL,
  sequence         bigint NOT NULL,
  attempts         integer NOT NULL DEFAULT 0,
  refusals         integer NOT NULL DEFAULT 0,
  first_refused_at timestamptz,
  next_attempt_at  timestamptz NOT NULL,
  lease_id         uuid,
  lease_until      timestamptz,
  revision         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (webhook_id, store_key)
) WITH (fillfactor = 50);

-- Events that a receiver refused again and again, so that the next ones need not wait.
CREATE TABLE webhook_parked (
  webhook_id uuid NOT NULL,
  store_key  integer NOT NULL,
  sequence   bigint NOT NULL,
  event_id   uuid NOT NULL,
  type       text NOT NULL,
  parked_at  timestamptz NOT NULL,
  status     integer NOT NULL,
  PRIMARY KEY (webhook_id, store_key, sequence)
);

-- Every attempt. Ids ascend with the time; a test is of no store and has no number.
CREATE TABLE webhook_deliveries (
  webhook_id uuid NOT NULL,
  id         uuid NOT NULL,
  event_id   uuid NOT NULL,
  type       text NOT NULL,
  store_key  integer,
  sequence   bigint,
  attempt    integer NOT NULL,
  at         timestamptz NOT NULL,
  status     integer,
  error      text,
  latency_ms integer NOT NULL,
  response   text,
  PRIMARY KEY (webhook_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

-- For the deletion of a store.
CREATE INDEX webhook_deliveries_of_store ON webhook_deliveries (store_key);
