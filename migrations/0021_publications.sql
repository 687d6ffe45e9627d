-- Menus that are published to several stores, or later. Not distributed: a publication is claimed by one statement,
-- whatever stores it is for.

-- content is gzip of the configuration's JSON, NULL once it is of no more use. stores has, for each of store_ids, what is
-- expected there and what came of it. Whoever runs it does so until lease_until, and puts that off while it lives.
CREATE TABLE menu_publications (
  id              uuid PRIMARY KEY,
  merchant_id     uuid NOT NULL,
  key_id          text NOT NULL,
  created_at      timestamptz NOT NULL,
  status          text NOT NULL CHECK (status IN ('scheduled', 'running', 'done', 'cancelled')),
  at              timestamptz,
  label           text,
  keep            text[] NOT NULL,
  store_ids       uuid[] NOT NULL,
  stores          jsonb NOT NULL,
  content         bytea,
  lease_until     timestamptz,
  late_by_seconds integer
);

CREATE INDEX menu_publications_in_order ON menu_publications (created_at, id);
CREATE INDEX menu_publications_of_merchant ON menu_publications (merchant_id, created_at, id);
CREATE INDEX menu_publications_waiting ON menu_publications (status, at) WHERE status IN ('scheduled', 'running');
