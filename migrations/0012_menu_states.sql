-- Where each store's menu stands, apart from the store itself: a sharded installation copies `stores` to every node, and
-- a publication must not have to write to all of them. One row tells whether rendered bytes are still current.
CREATE TABLE menu_states (
  store_key      integer PRIMARY KEY,
  menu_version   bigint NOT NULL DEFAULT 0,
  stock_revision bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO menu_states (store_key, menu_version, stock_revision)
SELECT s.store_key, s.menu_version, s.stock_revision FROM stores s;

ALTER TABLE stores DROP COLUMN menu_version, DROP COLUMN stock_revision;
