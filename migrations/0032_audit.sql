-- Who changed what: one row for each change of keys, settings, menus, stock, places, webhooks and the like. Never changed, only
-- pruned by age. The ids are UUIDv7, so their order is that of time. No foreign keys: an entry outlives what it tells of.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- NULL for what the service does by the clock.
  key_id text,
  label text,
  via text NOT NULL,
  type text NOT NULL,
  -- NULL for what concerns the installation.
  merchant_id uuid,
  store_id uuid,
  -- What was changed: an id, or a name that is unique in its store.
  subject text NOT NULL,
  -- The members that differ, as they were and as they are.
  before json,
  after json,
  request_id text
);

CREATE INDEX audit_entries_of_merchant ON audit_entries (merchant_id, id) WHERE merchant_id IS NOT NULL;
CREATE INDEX audit_entries_of_store ON audit_entries (store_id, id) WHERE store_id IS NOT NULL;
CREATE INDEX audit_entries_of_key ON audit_entries (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_entries_of_type ON audit_entries (type, id);
