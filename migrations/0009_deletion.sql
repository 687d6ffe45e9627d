-- Stores and merchants can be deleted. Their own rows go at once, so that nobody finds them any more; what a store has
-- gathered goes afterwards, in small pieces, and is nobody's until then. Hence no foreign keys from a store's rows.

ALTER TABLE menu_versions DROP CONSTRAINT menu_versions_store_key_fkey;
ALTER TABLE menu_marks DROP CONSTRAINT menu_marks_store_key_fkey;

-- What was deleted, and by which key: none of these ids and numbers is ever given again.
-- A store without emptied_at still has rows; whoever removes them holds it until claimed_until.
CREATE TABLE deleted_stores (
  store_key     integer PRIMARY KEY,
  id            uuid NOT NULL UNIQUE,
  merchant_id   uuid NOT NULL,
  deleted_at    timestamptz NOT NULL,
  key_id        text NOT NULL,
  claimed_until timestamptz,
  emptied_at    timestamptz
);

CREATE INDEX deleted_stores_with_rows ON deleted_stores (deleted_at) WHERE emptied_at IS NULL;

CREATE TABLE deleted_merchants (
  id         uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL,
  key_id     text NOT NULL
);

-- Whatever is written into a store ends with an event, and thus with its counter. A deletion closes the counter: what
-- began before it is either committed by then, and seen, or fails.
ALTER TABLE event_counters ADD COLUMN is_closed boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION append_events(of_store integer, ids uuid[], types text[], times timestamptz[], texts text[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  number_of_events integer := coalesce(cardinality(ids), 0);
  last_number      bigint;
  is_deleted       boolean;
BEGIN
  IF number_of_events = 0 THEN
    RETURN NULL;
  END IF;

  INSERT INTO event_counters AS c (store_key, first_sequence, last_sequence)
  VALUES (of_store, 1, number_of_events)
  ON CONFLICT (store_key) DO UPDATE SET last_sequence = c.last_sequence + excluded.last_sequence
  RETURNING c.last_sequence, c.is_closed INTO last_number, is_deleted;

  IF is_deleted THEN
    RAISE EXCEPTION 'The store is deleted' USING ERRCODE = 'CD001';
  END IF;

  INSERT INTO events (store_key, sequence, id, type, at, data)
  SELECT of_store, last_number - number_of_events + e.place, e.id, e.type, e.at, e.data
  FROM unnest(ids, types, times, texts) WITH ORDINALITY AS e (id, type, at, data, place);

  RETURN last_number;
END $$;
