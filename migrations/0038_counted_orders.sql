-- Counting the orders of 0.1.0 in the sales was the work of 0.2.0. From here on, every order is counted.
DO $$ BEGIN
  PERFORM o.store_key FROM orders o WHERE o.local_hour < 0
  UNION ALL SELECT p.store_key FROM sales_progress p WHERE NOT p.is_done LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'The sales do not count all orders of this database, as after an upgrade from 0.1.0. Run version 0.2.0 on it for a few minutes, which counts them, then start this version';
  END IF;
END $$;

-- Called by 0.1.0 only.
DROP FUNCTION IF EXISTS take_in_checked_orders(integer, smallint, json, json);
