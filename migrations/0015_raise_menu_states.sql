-- A menu that a replica of an older version published while 0012_menu_states.sql ran is in menu_versions, but not in
-- menu_states, and every publication after it would take its number again. One row at a time: on a sharded installation
-- the two tables are on different nodes.
DO $$
DECLARE
  newest record;
BEGIN
  FOR newest IN SELECT v.store_key, max(v.version) AS version FROM menu_versions v GROUP BY v.store_key LOOP
    UPDATE menu_states s SET menu_version = newest.version
    WHERE s.store_key = newest.store_key AND s.menu_version < newest.version;
  END LOOP;
END $$;
