-- A Citus cluster for Comanda. Run this on the first node, in the database of DATABASE_URL, before `comanda migrate --citus`.
-- Every node needs PostgreSQL 15 or later with shared_preload_libraries = 'citus' and wal_level = logical (shards move by
-- logical replication), the same role, and an empty UTF8 database of the same name with CREATE EXTENSION citus.
-- Nodes sign in to each other as that role: in pg_hba.conf of every node let it in from the others with scram-sha-256, and put
-- its password into ~/.pgpass (mode 0600) of the user that PostgreSQL runs as, one line for each node:
--   node-2.example:5432:comanda:comanda:secret
SELECT citus_set_coordinator_host('node-1.example', 5432);
SELECT citus_add_node('node-2.example', 5432);
SELECT citus_add_node('node-3.example', 5432);

-- Later, another node: add it, then spread the stores anew. Requests go on meanwhile.
--   SELECT citus_add_node('node-4.example', 5432);
--   SELECT citus_rebalance_start();
--   SELECT * FROM citus_rebalance_status();
-- And one that is to go: move its stores away, then remove it.
--   SELECT citus_drain_node('node-4.example', 5432);
--   SELECT citus_remove_node('node-4.example', 5432);
