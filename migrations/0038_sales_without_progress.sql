-- outside a transaction
-- Sales count what is written with its hour; orders from before there were sales have none and stay out of them.
ALTER TABLE orders ALTER COLUMN local_hour DROP DEFAULT;

DROP INDEX CONCURRENTLY IF EXISTS orders_not_counted;

DROP TABLE IF EXISTS sales_progress;

DROP FUNCTION IF EXISTS take_in_checked_orders(integer, smallint, json, json);

DROP FUNCTION IF EXISTS fold_sales(integer, integer, integer);

DROP FUNCTION IF EXISTS facts_in(text, numeric, numeric);

DROP FUNCTION IF EXISTS sold_in(text);

DROP FUNCTION IF EXISTS quantity_in(json);

DROP FUNCTION IF EXISTS amount_in(json, text);

DELETE FROM upkeep_turns WHERE upkeep_turns.work = 'sales';
