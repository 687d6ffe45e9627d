-- The whole schema, as the migrations make it. Written by `npm run generate:schema`; do not edit.
-- What tables and columns mean is said in the migration that brings them; the functions are in functions.sql.

CREATE TYPE arriving_order AS (
  id uuid,
  created_at timestamp with time zone,
  ready_by timestamp with time zone,
  completed_at timestamp with time zone,
  updated_at timestamp with time zone,
  status order_status,
  is_read boolean,
  in_pos boolean,
  price bigint,
  tax bigint,
  external_id text,
  fingerprint text,
  customer_name text,
  customer_phone text,
  customer_comments text,
  items text,
  name text,
  digits text,
  is_long boolean,
  grams integer[],
  hour integer,
  client_key text,
  event_id uuid,
  event_data text,
  checked_menu_version bigint,
  checked_by text,
  portions json,
  item_count integer,
  prep_minutes integer,
  attention_at timestamp with time zone,
  place_id uuid,
  place_label text,
  place_kind text,
  guest_token text,
  most_open integer,
  most_recent integer,
  recent_since timestamp with time zone,
  local_hour integer,
  slot_search json,
  may_be_late boolean,
  sold_ids text[],
  sold_units bigint[],
  sold_prices numeric[],
  sold_taxes numeric[],
  number_day integer,
  facts text,
  due bigint,
  reference_keys integer[],
  line_totals text
);

CREATE TYPE counted_items AS (
  hour integer,
  external_id text,
  outcome text,
  units bigint,
  price numeric,
  tax numeric
);

CREATE TYPE counted_orders AS (
  hour integer,
  status order_status,
  orders bigint,
  price numeric,
  tax numeric
);

CREATE TYPE order_status AS ENUM (
  'PENDING', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED', 'ACCEPTED', 'REJECTED', 'READY', 'FULFILLED'
);

CREATE SEQUENCE menu_entity_ids AS bigint;

CREATE SEQUENCE store_numbers AS integer;

CREATE TABLE api_keys (
  id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  merchant_id uuid,
  store_ids uuid[],
  permissions text[] NOT NULL,
  label text,
  last_four text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  rotated_from uuid,
  issued_by text,
  moving text,
  PRIMARY KEY (id),
  FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  UNIQUE (secret_hash)
);
CREATE INDEX api_keys_in_order ON api_keys USING btree (created_at, id);
CREATE INDEX api_keys_issued_by ON api_keys USING btree (issued_by) WHERE (issued_by IS NOT NULL);
CREATE INDEX api_keys_of_merchant ON api_keys USING btree (merchant_id, created_at, id);
CREATE INDEX api_keys_rotated_from ON api_keys USING btree (rotated_from) WHERE (rotated_from IS NOT NULL);

CREATE TABLE audit_entries (
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  key_id text,
  label text,
  via text NOT NULL,
  type text NOT NULL,
  merchant_id uuid,
  store_id uuid,
  subject text NOT NULL,
  before json,
  after json,
  request_id text,
  PRIMARY KEY (id)
);
CREATE INDEX audit_entries_of_key ON audit_entries USING btree (key_id, id) WHERE (key_id IS NOT NULL);
CREATE INDEX audit_entries_of_merchant ON audit_entries USING btree (merchant_id, id) WHERE (merchant_id IS NOT NULL);
CREATE INDEX audit_entries_of_store ON audit_entries USING btree (store_id, id) WHERE (store_id IS NOT NULL);
CREATE INDEX audit_entries_of_type ON audit_entries USING btree (type, id);

CREATE TABLE console_codes (
  code_hash bytea NOT NULL,
  key_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (code_hash)
);

CREATE TABLE console_sessions (
  token_hash bytea NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  PRIMARY KEY (token_hash)
);
CREATE INDEX console_sessions_by_age ON console_sessions USING btree (last_used_at);
CREATE INDEX console_sessions_of_key ON console_sessions USING btree (key_hash, last_used_at);

CREATE TABLE deleted_merchants (
  id uuid NOT NULL,
  deleted_at timestamp with time zone NOT NULL,
  key_id text NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE deleted_stores (
  store_key integer NOT NULL,
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  deleted_at timestamp with time zone NOT NULL,
  key_id text NOT NULL,
  claimed_until timestamp with time zone,
  emptied_at timestamp with time zone,
  PRIMARY KEY (store_key),
  UNIQUE (id)
);
CREATE INDEX deleted_stores_with_rows ON deleted_stores USING btree (deleted_at) WHERE (emptied_at IS NULL);

CREATE TABLE erased_orders (
  order_id uuid NOT NULL,
  erased_at timestamp with time zone NOT NULL,
  PRIMARY KEY (order_id)
);

CREATE TABLE event_counters (
  store_key integer NOT NULL,
  first_sequence bigint NOT NULL,
  last_sequence bigint NOT NULL,
  is_closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_key)
) WITH (fillfactor=10);

CREATE TABLE event_epoch (
  number smallint NOT NULL,
  epoch uuid NOT NULL,
  PRIMARY KEY (number),
  CHECK ((number = 1))
);

CREATE TABLE events (
  store_key integer NOT NULL,
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  at timestamp with time zone NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (store_key, sequence)
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);

CREATE TABLE idempotent_answers (
  owner text NOT NULL,
  operation text NOT NULL,
  client_key text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer,
  body text,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (owner, operation, client_key)
);
CREATE INDEX idempotent_answers_by_age ON idempotent_answers USING btree (created_at);

CREATE TABLE item_sales (
  store_key integer NOT NULL,
  level smallint NOT NULL,
  bucket integer NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  units bigint NOT NULL,
  price numeric NOT NULL,
  tax numeric NOT NULL,
  PRIMARY KEY (store_key, level, bucket, external_id, outcome, slot)
) WITH (fillfactor=50);

CREATE TABLE menu_entities (
  store_key integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (store_key, kind, external_id)
);

CREATE TABLE menu_marks (
  store_key integer NOT NULL,
  entity_id bigint NOT NULL,
  in_stock boolean,
  prep_type text,
  until timestamp with time zone,
  remaining integer,
  is_out boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_key, entity_id)
);
CREATE INDEX menu_marks_unshown ON menu_marks USING btree (store_key) WHERE ((remaining IS NOT NULL) AND ((remaining = 0) <> is_out));

CREATE TABLE menu_photos (
  store_key integer NOT NULL,
  entity_id bigint NOT NULL,
  photo text COLLATE "C" NOT NULL,
  width smallint NOT NULL,
  height smallint NOT NULL,
  bytes integer NOT NULL,
  small text COLLATE "C",
  small_width smallint,
  small_height smallint,
  PRIMARY KEY (store_key, entity_id)
);
CREATE INDEX menu_photos_by_photo ON menu_photos USING btree (photo);
CREATE INDEX menu_photos_by_small ON menu_photos USING btree (small) WHERE (small IS NOT NULL);

CREATE TABLE menu_publications (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  key_id text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  at timestamp with time zone,
  label text,
  keep text[] NOT NULL,
  store_ids uuid[] NOT NULL,
  stores jsonb NOT NULL,
  content bytea,
  lease_until timestamp with time zone,
  late_by_seconds integer,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE INDEX menu_publications_in_order ON menu_publications USING btree (created_at, id);
CREATE INDEX menu_publications_of_merchant ON menu_publications USING btree (merchant_id, created_at, id);
CREATE INDEX menu_publications_waiting ON menu_publications USING btree (status, at) WHERE (status = ANY (ARRAY['scheduled'::text, 'running'::text]));

CREATE TABLE menu_states (
  store_key integer NOT NULL,
  menu_version bigint NOT NULL DEFAULT 0,
  stock_revision bigint NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  is_counted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_key)
) WITH (fillfactor=50);
CREATE INDEX menu_states_due ON menu_states USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE menu_versions (
  store_key integer NOT NULL,
  version bigint NOT NULL,
  published_at timestamp with time zone NOT NULL,
  key_id text NOT NULL,
  restored_from bigint,
  content bytea STORAGE EXTERNAL NOT NULL,
  content_hash bytea NOT NULL,
  keys_hash bytea NOT NULL,
  menus integer NOT NULL,
  categories integer NOT NULL,
  items integer NOT NULL,
  modifier_groups integer NOT NULL,
  modifier_items integer NOT NULL,
  ids bigint[] NOT NULL,
  stated_in integer[] NOT NULL,
  stated_out integer[] NOT NULL,
  tree_bytes bigint NOT NULL,
  tree_entities bigint NOT NULL,
  PRIMARY KEY (store_key, version)
);

CREATE TABLE merchants (
  id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  brand_name text NOT NULL,
  business_type text,
  moving text,
  moving_until timestamp with time zone,
  moving_position text,
  PRIMARY KEY (id)
);
CREATE INDEX merchants_in_order ON merchants USING btree (created_at, id);
CREATE INDEX merchants_moving ON merchants USING btree (moving_until) WHERE (moving IS NOT NULL);

CREATE TABLE order_counts (
  store_key integer NOT NULL,
  level smallint NOT NULL,
  bucket integer NOT NULL,
  slot smallint NOT NULL,
  pending bigint NOT NULL DEFAULT 0,
  customer_cancelled bigint NOT NULL DEFAULT 0,
  store_cancelled bigint NOT NULL DEFAULT 0,
  accepted bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  ready bigint NOT NULL DEFAULT 0,
  fulfilled bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_key, level, bucket, slot)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000);

CREATE TABLE order_history (
  store_key integer NOT NULL,
  order_id uuid NOT NULL,
  revision integer NOT NULL,
  field text NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  key_id text,
  old_value json,
  new_value json,
  via text,
  PRIMARY KEY (store_key, order_id, revision, field)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);

CREATE TABLE order_intake_keys (
  store_key integer NOT NULL,
  client_key text NOT NULL,
  order_id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  status smallint NOT NULL DEFAULT 201,
  PRIMARY KEY (store_key, client_key)
) WITH (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000);
CREATE INDEX order_intake_keys_by_age ON order_intake_keys USING btree (store_key, taken_at);

CREATE TABLE order_numbers (
  store_key integer NOT NULL,
  day integer NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (store_key, day)
) WITH (fillfactor=10);

CREATE TABLE order_sales (
  store_key integer NOT NULL,
  level smallint NOT NULL,
  bucket integer NOT NULL,
  status order_status NOT NULL,
  slot smallint NOT NULL,
  orders bigint NOT NULL,
  price numeric NOT NULL,
  tax numeric NOT NULL,
  PRIMARY KEY (store_key, level, bucket, status, slot)
) WITH (fillfactor=50);

CREATE TABLE order_search (
  store_key integer NOT NULL,
  id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  is_long boolean NOT NULL,
  name text NOT NULL,
  digits text NOT NULL,
  grams integer[] NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX order_search_grams ON order_search USING gin (grams) WITH (gin_pending_list_limit='256');
CREATE INDEX order_search_long ON order_search USING btree (store_key, created_at, id) WHERE is_long;
CREATE INDEX order_search_of_order ON order_search USING btree (id);

CREATE TABLE orders (
  store_key integer NOT NULL,
  id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ready_by timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  status order_status NOT NULL,
  is_read boolean NOT NULL,
  in_pos boolean NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  price bigint NOT NULL,
  tax bigint NOT NULL,
  external_id text,
  fingerprint bytea NOT NULL,
  customer_name text NOT NULL,
  customer_phone text NOT NULL,
  name_key text,
  digits_key text,
  customer_comments text,
  items text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  portions json,
  item_count integer,
  prep_minutes integer,
  reason text,
  reason_text text,
  attention_at timestamp with time zone,
  attention_raised text[],
  place_id uuid,
  place_label text,
  place_kind text,
  guest_token bytea,
  is_erased boolean NOT NULL DEFAULT false,
  local_hour integer DEFAULT '-1'::integer,
  unlisted text[],
  number smallint,
  facts text,
  due bigint,
  reference_keys integer[],
  line_totals text,
  PRIMARY KEY (store_key, id)
) WITH (fillfactor=90, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX orders_by_attention ON orders USING btree (attention_at) WHERE (attention_at IS NOT NULL);
CREATE INDEX orders_by_change ON orders USING btree (store_key, updated_at, id);
CREATE INDEX orders_by_completion ON orders USING btree (store_key, is_erased, completed_at) WHERE (completed_at IS NOT NULL);
CREATE UNIQUE INDEX orders_by_external_id ON orders USING btree (store_key, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX orders_by_ready_by ON orders USING btree (store_key, ready_by) INCLUDE (item_count, prep_minutes) WHERE ((status = ANY (ARRAY['PENDING'::order_status, 'ACCEPTED'::order_status, 'READY'::order_status, 'FULFILLED'::order_status])) AND (ready_by >= '2026-11-01 00:00:00+00'::timestamp with time zone));
CREATE INDEX orders_by_reference ON orders USING gin (reference_keys) WHERE (reference_keys IS NOT NULL);
CREATE INDEX orders_listed ON orders USING btree (store_key, created_at, id) INCLUDE (status, name_key, digits_key);
CREATE INDEX orders_listed_by_status ON orders USING btree (store_key, status, created_at, id);
CREATE INDEX orders_not_counted ON orders USING btree (store_key, id) WHERE (local_hour < 0);
CREATE INDEX orders_of_place ON orders USING btree (store_key, place_id, created_at) WHERE (place_id IS NOT NULL);
CREATE INDEX orders_owed ON orders USING btree (store_key, place_id, created_at) WHERE ((place_id IS NOT NULL) AND (number IS NOT NULL) AND (COALESCE(due, (price + tax)) <> 0) AND (status = ANY (ARRAY['PENDING'::order_status, 'ACCEPTED'::order_status, 'READY'::order_status, 'FULFILLED'::order_status])));
CREATE INDEX orders_waiting_at_place ON orders USING btree (store_key, place_id) WHERE ((place_id IS NOT NULL) AND (status = 'PENDING'::order_status));

CREATE TABLE photos (
  id text COLLATE "C" NOT NULL,
  merchant_id uuid NOT NULL,
  type text NOT NULL,
  bytes integer NOT NULL,
  content bytea STORAGE EXTERNAL NOT NULL,
  put_at timestamp with time zone NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX photos_of_merchant ON photos USING btree (merchant_id) INCLUDE (bytes);

CREATE TABLE places (
  store_key integer NOT NULL,
  id uuid NOT NULL,
  label text NOT NULL,
  kind text NOT NULL,
  external_id text,
  code text NOT NULL,
  code_hash bytea NOT NULL,
  token_seed bytea NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (store_key, id)
);
CREATE UNIQUE INDEX places_by_code ON places USING btree (code_hash);
CREATE UNIQUE INDEX places_by_external_id ON places USING btree (store_key, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX places_in_order ON places USING btree (store_key, created_at, id);

CREATE TABLE printer_tickets (
  store_key integer NOT NULL,
  order_id uuid NOT NULL,
  printer_id uuid NOT NULL,
  revision integer NOT NULL,
  is_cancelled boolean NOT NULL,
  printed_at timestamp with time zone NOT NULL,
  PRIMARY KEY (store_key, order_id, printer_id)
);
CREATE INDEX printer_tickets_by_time ON printer_tickets USING btree (printed_at);

CREATE TABLE printers (
  store_key integer NOT NULL,
  id uuid NOT NULL,
  code text NOT NULL,
  code_hash bytea NOT NULL,
  settings jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  sequence bigint NOT NULL,
  watched bigint NOT NULL,
  job jsonb,
  extras jsonb NOT NULL DEFAULT '[]'::jsonb,
  last_poll_at timestamp with time zone,
  paper text NOT NULL DEFAULT 'unknown'::text,
  cover text NOT NULL DEFAULT 'unknown'::text,
  trouble text,
  PRIMARY KEY (store_key, id)
) WITH (fillfactor=50);
CREATE UNIQUE INDEX printers_by_code ON printers USING btree (code_hash);
CREATE INDEX printers_unheard ON printers USING btree (last_poll_at);

CREATE TABLE sales_progress (
  store_key integer NOT NULL,
  timezone text NOT NULL,
  counted_from timestamp with time zone NOT NULL,
  counted_id uuid NOT NULL,
  is_done boolean NOT NULL,
  PRIMARY KEY (store_key)
);

CREATE TABLE schema_functions (
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  PRIMARY KEY (checksum)
);

CREATE TABLE schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  checksum text,
  PRIMARY KEY (number)
);

CREATE TABLE stores (
  id uuid NOT NULL,
  store_key integer NOT NULL,
  merchant_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  name json NOT NULL,
  currency text,
  external_id text,
  store_phone text,
  contacts json,
  address_line_1 text,
  address_line_2 text,
  address_line_3 text,
  timezone text,
  city text,
  postal_code text,
  country text,
  location_name text,
  admin_area text,
  phone_numbers json,
  store_type json,
  restaurant_configuration json,
  orders_checked boolean,
  intake jsonb,
  intake_revision integer NOT NULL DEFAULT 0,
  accept jsonb,
  in_pos_within_minutes integer,
  guest jsonb,
  order_days integer,
  customer_days integer,
  print_within_minutes smallint,
  ready_when_done boolean,
  moving text,
  PRIMARY KEY (id),
  FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  UNIQUE (store_key)
);
CREATE INDEX stores_in_order ON stores USING btree (created_at, id);
CREATE INDEX stores_moving ON stores USING btree (store_key) WHERE (moving IS NOT NULL);
CREATE INDEX stores_of_merchant ON stores USING btree (merchant_id, created_at, id);
CREATE INDEX stores_of_merchant_by_id ON stores USING btree (merchant_id, id);

CREATE TABLE upkeep_turns (
  work text NOT NULL,
  holder uuid,
  next_at timestamp with time zone NOT NULL,
  PRIMARY KEY (work)
);

CREATE TABLE webhook_cursors (
  webhook_id uuid NOT NULL,
  store_key integer NOT NULL,
  sequence bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  refusals integer NOT NULL DEFAULT 0,
  first_refused_at timestamp with time zone,
  next_attempt_at timestamp with time zone NOT NULL,
  lease_id uuid,
  lease_until timestamp with time zone,
  revision integer NOT NULL DEFAULT 0,
  PRIMARY KEY (webhook_id, store_key)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=500);

CREATE TABLE webhook_deliveries (
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  store_key integer,
  sequence bigint,
  attempt integer NOT NULL,
  at timestamp with time zone NOT NULL,
  status integer,
  error text,
  latency_ms integer NOT NULL,
  response text,
  PRIMARY KEY (webhook_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_deliveries_of_store ON webhook_deliveries USING btree (store_key);

CREATE TABLE webhook_parked (
  webhook_id uuid NOT NULL,
  store_key integer NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  parked_at timestamp with time zone NOT NULL,
  status integer NOT NULL,
  PRIMARY KEY (webhook_id, store_key, sequence)
);

CREATE TABLE webhooks (
  id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  store_ids uuid[],
  url text NOT NULL,
  types text[],
  label text,
  include_order boolean NOT NULL,
  skip_own boolean NOT NULL,
  key_id text NOT NULL,
  status text NOT NULL,
  disabled_reason text,
  sealed_with text NOT NULL,
  secret bytea NOT NULL,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  failing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  removed_at timestamp with time zone,
  older_delivered bigint,
  older_failed bigint,
  moving text,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text, 'removed'::text])))
);
CREATE INDEX webhooks_failing ON webhooks USING btree (merchant_id) WHERE ((failing_since IS NOT NULL) AND (status <> 'removed'::text));
CREATE INDEX webhooks_in_order ON webhooks USING btree (created_at, id);
CREATE INDEX webhooks_of_key ON webhooks USING btree (key_id);
CREATE INDEX webhooks_of_merchant ON webhooks USING btree (merchant_id, created_at, id);
