-- Menus: what each store has published, the ids of its entities, and what the manage side has marked.

-- Asked for by separate calls, never as a column default, so that the numbers stay unique on a sharded database.
CREATE SEQUENCE menu_entity_ids AS bigint;

-- An entity keeps its id for ever: rows are added and never changed or removed.
CREATE TABLE menu_entities (
  store_key   integer NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  id          bigint NOT NULL,
  PRIMARY KEY (store_key, kind, external_id)
);

-- One row per publication, never changed. `content` is gzip of the posted JSON; `ids` has one id per entity, in the
-- order menus, categories, items, modifier groups, modifier items; `stated_in` and `stated_out` are positions in it,
-- counted from 0, of the entities that state in_stock.
CREATE TABLE menu_versions (
  store_key       integer NOT NULL REFERENCES stores (store_key),
  version         bigint NOT NULL,
  published_at    timestamptz NOT NULL,
  key_id          text NOT NULL,
  restored_from   bigint,
  content         bytea NOT NULL,
  content_hash    bytea NOT NULL,
  keys_hash       bytea NOT NULL,
  menus           integer NOT NULL,
  categories      integer NOT NULL,
  items           integer NOT NULL,
  modifier_groups integer NOT NULL,
  modifier_items  integer NOT NULL,
  ids             bigint[] NOT NULL,
  stated_in       integer[] NOT NULL,
  stated_out      integer[] NOT NULL,
  tree_bytes      bigint NOT NULL,
  tree_entities   bigint NOT NULL,
  PRIMARY KEY (store_key, version)
);

-- The content is compressed already, and parts of it are read on their own.
ALTER TABLE menu_versions ALTER COLUMN content SET STORAGE EXTERNAL;

-- What the manage side has set on an item or a modifier item; NULL means that nothing is set.
CREATE TABLE menu_marks (
  store_key integer NOT NULL REFERENCES stores (store_key),
  entity_id bigint NOT NULL,
  in_stock  boolean,
  prep_type text,
  PRIMARY KEY (store_key, entity_id)
);
