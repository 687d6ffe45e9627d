-- Open orders of before may still become late. They are found before the first one is locked.
DO $$
DECLARE
  keys integer[];
  ids  uuid[];
BEGIN
  SELECT array_agg(o.store_key), array_agg(o.id) INTO keys, ids FROM orders o
  WHERE o.status IN ('PENDING', 'ACCEPTED') AND o.ready_by > now() AND o.attention_at IS NULL;
  FOR i IN 1 .. coalesce(cardinality(ids), 0) LOOP
    UPDATE orders o SET attention_at = o.ready_by
    WHERE o.store_key = keys[i] AND o.id = ids[i] AND o.status IN ('PENDING', 'ACCEPTED');
  END LOOP;
END $$;
