-- A Citus cluster for Comanda, before `comanda migrate --citus`: run on the first node, in the database that DATABASE_URL names.
-- Every node needs PostgreSQL 15 or later with shared_preload_libraries = 'citus', the same role, and an empty database of the
-- same name in UTF8 with CREATE EXTENSION citus.
SELECT citus_set_coordinator_host('node-1.example', 5432);
SELECT citus_add_node('node-2.example', 5432);
SELECT citus_add_node('node-3.example', 5432);
