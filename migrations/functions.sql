-- Every SQL function as it is now. The service applies this file after the migrations whenever the database has not had this
-- text yet. Change functions here, in place; a change of a table or type goes into a migration.
--
-- During a rolling upgrade replicas of the last release call what this file has put in place. So a function keeps the
-- parameters that a released version calls it with; new values go into the JSON, and what is missing there means what it meant
-- before. A function that only a released version calls stays, and its comment names that version.
--
-- Each function is one statement of the service: one transaction, on the shard of one store. All writers lock rows in the
-- same order, so they cannot deadlock: the slots of the store, the numbers of the day, orders by external_id or id, what is left
-- of items by entity, Idempotency-Keys, counts from the highest level down, sales, and the event counter last, because whoever
-- holds it blocks all other writers of the store until the commit. Times come from the caller.

-- Numbers the events in the order given and returns the last number, or NULL if there are no events. Raises CD001 if the
-- store has been deleted, and CD002 if its merchant is moving to another installation or has left.
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
    IF EXISTS (SELECT FROM stores s WHERE s.store_key = of_store) THEN
      RAISE EXCEPTION 'The merchant is moving' USING ERRCODE = 'CD002';
    END IF;
    RAISE EXCEPTION 'The store is deleted' USING ERRCODE = 'CD001';
  END IF;

  INSERT INTO events (store_key, sequence, id, type, at, data)
  SELECT of_store, last_number - number_of_events + e.place, e.id, e.type, e.at, e.data
  FROM unnest(ids, types, times, texts) WITH ORDINALITY AS e (id, type, at, data, place);

  RETURN last_number;
END $$;

-- Adds to the sales of a store: orders by local hour and status, items by local hour and outcome. What is taken away has
-- negative numbers. Items that begin with chr(1) are facts of orders, such as service:delivery or tip: they are counted by day, on
-- level 2 of item_sales.
-- Counters are written one by one: with INSERT … SELECT, Citus took three to four times as long for this function.
CREATE OR REPLACE FUNCTION count_sales(of_store integer, in_slot smallint, of_orders counted_orders[], of_items counted_items[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counter record;
BEGIN
  FOR counter IN
    SELECT l.level,
      CASE l.level WHEN 0 THEN t.hour WHEN 1 THEN t.hour / 24 ELSE t.hour / 768 * 24 + t.hour % 24 END AS bucket,
      t.status, sum(t.orders) AS orders, sum(t.price) AS price, sum(t.tax) AS tax
    FROM unnest(of_orders) t
    CROSS JOIN (VALUES (0::smallint), (1::smallint), (2::smallint)) AS l (level)
    GROUP BY 1, 2, 3
    HAVING sum(t.orders) <> 0 OR sum(t.price) <> 0 OR sum(t.tax) <> 0
    ORDER BY 1, 2, 3
  LOOP
    INSERT INTO order_sales AS c (store_key, level, bucket, status, slot, orders, price, tax)
    VALUES (of_store, counter.level, counter.bucket, counter.status, in_slot, counter.orders, counter.price, counter.tax)
    ON CONFLICT (store_key, level, bucket, status, slot) DO UPDATE SET
      orders = c.orders + excluded.orders, price = c.price + excluded.price, tax = c.tax + excluded.tax;
  END LOOP;

  FOR counter IN
    SELECT l.level, t.hour / l.hours AS bucket,
      CASE l.level WHEN 2 THEN substr(t.external_id, 2) ELSE t.external_id END AS external_id, t.outcome,
      sum(t.units) AS units, sum(t.price) AS price, sum(t.tax) AS tax
    FROM unnest(of_items) t
    CROSS JOIN (VALUES (0::smallint, 24), (1::smallint, 768), (2::smallint, 24)) AS l (level, hours)
    WHERE starts_with(t.external_id, chr(1)) = (l.level = 2)
    GROUP BY 1, 2, 3, 4
    HAVING sum(t.units) <> 0 OR sum(t.price) <> 0 OR sum(t.tax) <> 0
    ORDER BY 1, 2, 3, 4
  LOOP
    INSERT INTO item_sales AS c (store_key, level, bucket, external_id, outcome, slot, units, price, tax)
    VALUES (of_store, counter.level, counter.bucket, counter.external_id, counter.outcome, in_slot, counter.units,
      counter.price, counter.tax)
    ON CONFLICT (store_key, level, bucket, external_id, outcome, slot) DO UPDATE SET
      units = c.units + excluded.units, price = c.price + excluded.price, tax = c.tax + excluded.tax;
  END LOOP;
END $$;

-- The first moment at which the kitchen of a store has room for an order, or NULL. It lies in one of the `runs`, which are in
-- order: a run has a beginning and an end, and how far the store's clock is ahead of UTC meanwhile, all in seconds, because slots
-- of `minutes` begin at the full hour on that clock. `most_...` is what a slot takes, `items` and `prep_minutes` how large
-- the order is.
CREATE OR REPLACE FUNCTION find_free_slot(of_store integer, search json)
RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  wanted   record;
  earliest timestamptz;
  latest   timestamptz;
  width    interval;
  reach    interval;
  free     timestamptz;
BEGIN
  SELECT * INTO wanted
  FROM json_to_record(search) AS w (runs json, minutes integer, most_orders integer, most_items integer,
    most_prep_minutes integer, items integer, prep_minutes integer);
  earliest := to_timestamp((wanted.runs -> 0 ->> 0)::double precision);
  latest := to_timestamp((wanted.runs -> -1 ->> 1)::double precision);
  width := make_interval(mins => wanted.minutes);

  -- Most orders find room soon; only where they do not is everything looked at.
  FOREACH reach IN ARRAY ARRAY [interval '4 hours', latest - earliest] LOOP
    WITH open AS (
      SELECT r.place, r.start, least(r.stop, earliest + reach) - interval '1 microsecond' AS last,
        to_timestamp(0) - make_interval(secs => r.ahead) AS origin
      FROM (
        SELECT e.place, to_timestamp((e.run ->> 0)::double precision) AS start,
          to_timestamp((e.run ->> 1)::double precision) AS stop, (e.run ->> 2)::double precision AS ahead
        FROM json_array_elements(wanted.runs) WITH ORDINALITY AS e (run, place)
      ) r
      WHERE r.start < earliest + reach
    ), loads AS (
      SELECT u.place, date_bin(width, o.ready_by, u.origin) AS slot, count(*) AS orders,
        sum(coalesce(o.item_count, 1)) AS items, sum(coalesce(o.prep_minutes, 0)) AS prep_minutes
      FROM open u, orders o
      WHERE o.store_key = of_store AND o.ready_by >= date_bin(width, u.start, u.origin)
        AND o.ready_by < date_bin(width, u.last, u.origin) + width
        AND o.status IN ('PENDING', 'ACCEPTED', 'READY', 'FULFILLED') AND o.ready_by >= '2026-11-01T00:00:00Z'
      GROUP BY 1, 2
    )
    SELECT min(greatest(s.slot, u.start)) INTO free
    FROM open u
    CROSS JOIN LATERAL generate_series(date_bin(width, u.start, u.origin), u.last, width) AS s (slot)
    LEFT JOIN loads l ON l.place = u.place AND l.slot = s.slot
    -- An order that is larger than a slot fits an empty one.
    WHERE l.orders IS NULL OR ((l.orders < wanted.most_orders) IS NOT FALSE
      AND (l.items + wanted.items <= wanted.most_items) IS NOT FALSE
      AND (l.prep_minutes + wanted.prep_minutes <= wanted.most_prep_minutes) IS NOT FALSE);
    EXIT WHEN free IS NOT NULL OR earliest + reach >= latest;
  END LOOP;
  RETURN free;
END $$;

-- Adds up the shards of the sales of a store from one local day to another, and drops what has come to nothing. Returns whether
-- there may be more. Rows are only added to rows that exist, so writers and this function lock them in the same order.
CREATE OR REPLACE FUNCTION fold_sales(of_store integer, from_day integer, to_day integer)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  many    integer := 500;
  folded  integer := 0;
  counter record;
  sums    record;
BEGIN
  FOR counter IN
    SELECT c.level, c.bucket, c.status, min(c.slot) AS slot FROM order_sales c
    WHERE c.store_key = of_store AND (
      c.level = 0 AND c.bucket >= from_day * 24 AND c.bucket < to_day * 24
      OR c.level = 1 AND c.bucket >= from_day AND c.bucket < to_day
      OR c.level = 2 AND c.bucket >= from_day / 32 * 24 AND c.bucket < to_day / 32 * 24)
    GROUP BY 1, 2, 3
    HAVING count(*) > 1 OR sum(c.orders) = 0 AND sum(c.price) = 0 AND sum(c.tax) = 0
    ORDER BY 1, 2, 3 LIMIT many
  LOOP
    folded := folded + 1;
    PERFORM c.slot FROM order_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket AND c.status = counter.status
    ORDER BY c.slot FOR UPDATE;
    SELECT sum(c.orders) AS orders, sum(c.price) AS price, sum(c.tax) AS tax INTO sums FROM order_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket AND c.status = counter.status;
    DELETE FROM order_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket AND c.status = counter.status
      AND (c.slot <> counter.slot OR sums.orders = 0 AND sums.price = 0 AND sums.tax = 0);
    UPDATE order_sales c SET orders = sums.orders, price = sums.price, tax = sums.tax
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket AND c.status = counter.status
      AND c.slot = counter.slot;
  END LOOP;

  FOR counter IN
    SELECT c.level, c.bucket, c.external_id, c.outcome, min(c.slot) AS slot FROM item_sales c
    WHERE c.store_key = of_store AND (
      c.level IN (0, 2) AND c.bucket >= from_day AND c.bucket < to_day
      OR c.level = 1 AND c.bucket >= from_day / 32 AND c.bucket < to_day / 32)
    GROUP BY 1, 2, 3, 4
    HAVING count(*) > 1 OR sum(c.units) = 0 AND sum(c.price) = 0 AND sum(c.tax) = 0
    ORDER BY 1, 2, 3, 4 LIMIT many
  LOOP
    folded := folded + 1;
    PERFORM c.slot FROM item_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket
      AND c.external_id = counter.external_id AND c.outcome = counter.outcome
    ORDER BY c.slot FOR UPDATE;
    SELECT sum(c.units) AS units, sum(c.price) AS price, sum(c.tax) AS tax INTO sums FROM item_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket
      AND c.external_id = counter.external_id AND c.outcome = counter.outcome;
    DELETE FROM item_sales c
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket
      AND c.external_id = counter.external_id AND c.outcome = counter.outcome
      AND (c.slot <> counter.slot OR sums.units = 0 AND sums.price = 0 AND sums.tax = 0);
    UPDATE item_sales c SET units = sums.units, price = sums.price, tax = sums.tax
    WHERE c.store_key = of_store AND c.level = counter.level AND c.bucket = counter.bucket
      AND c.external_id = counter.external_id AND c.outcome = counter.outcome AND c.slot = counter.slot;
  END LOOP;
  RETURN folded > 0;
END $$;

-- Creates orders of one store, given as a JSON array of arriving_order. Returns the ids of the orders it created, the store
-- as it is now, and the number of the last event. The other orders have an external_id or an Idempotency-Key that exists
-- already. An Idempotency-Key that another transaction commits at the same moment is a unique violation: nothing is written.
-- An order with a `slot_search` gets the first moment whose slot has room as its `ready_by`, and `given` tells it; one that
-- `may_be_late` needs attention then at the latest. `refused` are checked orders that find no slot, that ask for more of a
-- counted item than is left, or of a place that has too many; `refusals` says which of these it was, and what is left.
-- `is_unshown` says that menus do not show yet what is left.
CREATE OR REPLACE FUNCTION take_in_orders(of_store integer, in_slot smallint, given json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  arrived     arriving_order[];
  arriving    arriving_order;
  counter     record;
  used_keys   text[];
  made        uuid[] := '{}';
  made_id     uuid;
  taker       record;
  taken       json;
  remains     json;
  suffices    boolean;
  free        timestamptz;
  given_ids   uuid[] := '{}';
  given_times timestamptz[] := '{}';
  refused     uuid[] := '{}';
  refusals    json[] := '{}';
  is_unshown  boolean := false;
  not_listed  text[];
  its_unlisted text[];
  today       integer;
  last_given  integer;
  numbered    uuid[] := '{}';
  numbers     integer[] := '{}';
  last_number bigint;
  iso         CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
BEGIN
  arrived := ARRAY (
    SELECT i FROM json_populate_recordset(NULL::arriving_order, given) i ORDER BY i.external_id, i.id);

  -- One writer of the store at a time counts: the next one sees what this one has committed. Before any row is locked, or who
  -- waits for such a row while it counts would wait for ever.
  IF EXISTS (
    SELECT FROM unnest(arrived) i
    WHERE i.slot_search IS NOT NULL OR i.place_id IS NOT NULL)
  THEN
    PERFORM pg_advisory_xact_lock(4021, of_store);
  END IF;

  used_keys := ARRAY (
    SELECT k.client_key FROM order_intake_keys k
    WHERE k.store_key = of_store AND k.client_key = ANY (ARRAY (SELECT i.client_key FROM unnest(arrived) i))
      AND k.taken_at + interval '24 hours' > (SELECT max(i.updated_at) FROM unnest(arrived) i));
  IF cardinality(used_keys) > 0 THEN
    arrived := ARRAY (
      SELECT i FROM unnest(arrived) i WHERE i.client_key IS NULL OR i.client_key <> ALL (used_keys));
  END IF;

  -- The sales count what is on no menu as one. The order keeps what that was: a later menu may have it.
  not_listed := ARRAY (
    SELECT DISTINCT s.id FROM unnest(arrived) i, unnest(i.sold_ids) AS s (id)
    WHERE s.id <> '' AND NOT starts_with(s.id, chr(1)) AND NOT EXISTS (
      SELECT FROM menu_entities e WHERE e.store_key = of_store AND e.kind = 'item' AND e.external_id = s.id));

  -- Held until the commit, so that no two orders of a day get one number.
  today := (SELECT max(i.number_day) FROM unnest(arrived) i);
  IF today IS NOT NULL THEN
    INSERT INTO order_numbers AS n (store_key, day, last) VALUES (of_store, today, cardinality(arrived))
    ON CONFLICT (store_key, day) DO UPDATE SET last = n.last + excluded.last
    RETURNING n.last - cardinality(arrived) INTO last_given;
    IF last_given = 0 THEN
      DELETE FROM order_numbers n WHERE n.store_key = of_store AND n.day < today - 7;
    END IF;
  END IF;

  FOR arriving IN SELECT * FROM unnest(arrived) LOOP
    IF arriving.slot_search IS NOT NULL THEN
      free := find_free_slot(of_store, arriving.slot_search);
      IF free IS NULL THEN
        -- One that came before is not refused, nor one that was made by a first run of this statement.
        IF NOT EXISTS (
          SELECT FROM orders o
          WHERE o.store_key = of_store AND (o.id = arriving.id OR o.external_id = arriving.external_id))
        THEN
          refused := refused || arriving.id;
          refusals := refusals || json_build_object('id', arriving.id, 'reason', 'slot');
        END IF;
        CONTINUE;
      END IF;
      given_ids := given_ids || arriving.id;
      given_times := given_times || free;
      arriving.ready_by := free;
      IF arriving.may_be_late THEN
        arriving.attention_at := least(arriving.attention_at, free);
      END IF;
    END IF;

    -- Apart from the INSERT, in which Citus takes no subquery.
    its_unlisted := CASE WHEN arriving.sold_ids && not_listed THEN ARRAY (
      SELECT s.id FROM unnest(arriving.sold_ids) AS s (id) WHERE s.id = ANY (not_listed)) END;
    INSERT INTO orders (store_key, id, created_at, ready_by, completed_at, updated_at, status, is_read, in_pos, price,
      tax, external_id, fingerprint, customer_name, customer_phone, name_key, digits_key, customer_comments, items,
      item_count, prep_minutes, local_hour, attention_at, place_id, place_label, place_kind, guest_token, unlisted,
      number, facts, due, reference_keys, line_totals)
    VALUES (of_store, arriving.id, arriving.created_at, arriving.ready_by, arriving.completed_at, arriving.updated_at,
      arriving.status, arriving.is_read, arriving.in_pos, arriving.price, arriving.tax, arriving.external_id,
      decode(arriving.fingerprint, 'hex'), arriving.customer_name, arriving.customer_phone,
      CASE WHEN arriving.is_long THEN NULL ELSE arriving.name END,
      CASE WHEN arriving.is_long THEN NULL ELSE arriving.digits END,
      arriving.customer_comments, arriving.items, arriving.item_count, arriving.prep_minutes,
      arriving.local_hour, arriving.attention_at, arriving.place_id, arriving.place_label, arriving.place_kind,
      decode(arriving.guest_token, 'hex'), its_unlisted,
      last_given % 999 + 1, arriving.facts, arriving.due, arriving.reference_keys, arriving.line_totals)
    ON CONFLICT DO NOTHING
    RETURNING orders.id INTO made_id;
    IF made_id IS NOT NULL THEN
      made := made || made_id;
      numbered := numbered || made_id;
      numbers := numbers || (last_given % 999 + 1);
      last_given := last_given + 1;
    END IF;
  END LOOP;

  -- Orders that were there before leave no gap.
  IF cardinality(made) < cardinality(arrived) AND today IS NOT NULL THEN
    UPDATE order_numbers n SET last = last_given WHERE n.store_key = of_store AND n.day = today;
  END IF;

  IF EXISTS (SELECT FROM unnest(arrived) i WHERE i.place_id IS NOT NULL) THEN
    FOR taker IN
      SELECT i.* FROM unnest(arrived) i WHERE i.place_id IS NOT NULL AND i.id = ANY (made) ORDER BY i.id
    LOOP
      IF taker.most_open < (
          SELECT count(*) FROM orders o
          WHERE o.store_key = of_store AND o.place_id = taker.place_id AND o.status = 'PENDING'
            AND o.id <> ALL (refused) AND NOT (o.id = ANY (made) AND o.id > taker.id))
        OR taker.most_recent < (
          SELECT count(*) FROM orders o
          WHERE o.store_key = of_store AND o.place_id = taker.place_id AND o.created_at > taker.recent_since
            AND o.id <> ALL (refused) AND NOT (o.id = ANY (made) AND o.id > taker.id))
      THEN
        refused := refused || taker.id;
        refusals := refusals || json_build_object('id', taker.id, 'reason', 'place');
      END IF;
    END LOOP;
  END IF;

  IF EXISTS (SELECT FROM unnest(arrived) i WHERE i.portions IS NOT NULL) THEN
    PERFORM m.entity_id FROM menu_marks m
    WHERE m.store_key = of_store AND m.entity_id = ANY (ARRAY (
      SELECT p.entity_id FROM unnest(arrived) i, json_to_recordset(i.portions) AS p (entity_id bigint)))
    ORDER BY m.entity_id FOR UPDATE;

    FOR taker IN
      SELECT i.id, i.portions, i.checked_menu_version IS NOT NULL AS is_checked FROM unnest(arrived) i
      WHERE i.portions IS NOT NULL AND i.id = ANY (made) AND i.id <> ALL (refused) ORDER BY i.id
    LOOP
      SELECT json_agg(json_build_object('entity_id', m.entity_id, 'units', least(p.units, m.remaining))),
        json_agg(json_build_object('entity_id', m.entity_id, 'left', m.remaining)), bool_and(p.units <= m.remaining)
      INTO taken, remains, suffices
      FROM menu_marks m, json_to_recordset(taker.portions) AS p (entity_id bigint, units integer)
      WHERE m.store_key = of_store AND m.entity_id = p.entity_id AND m.remaining IS NOT NULL;

      IF taker.is_checked AND NOT suffices THEN
        refused := refused || taker.id;
        refusals := refusals || json_build_object('id', taker.id, 'reason', 'stock', 'left', remains);
      ELSIF taken IS NOT NULL THEN
        UPDATE menu_marks m SET remaining = m.remaining - p.units
        FROM json_to_recordset(taken) AS p (entity_id bigint, units integer)
        WHERE m.store_key = of_store AND m.entity_id = p.entity_id;

        UPDATE orders o SET portions = taken WHERE o.store_key = of_store AND o.id = taker.id;
      END IF;
    END LOOP;

    is_unshown := EXISTS (
      SELECT 1 FROM menu_marks m
      WHERE m.store_key = of_store AND m.remaining IS NOT NULL AND (m.remaining = 0) <> m.is_out);
  END IF;

  IF cardinality(refused) > 0 THEN
    DELETE FROM orders o WHERE o.store_key = of_store AND o.id = ANY (refused);
    made := ARRAY (SELECT m.id FROM unnest(made) AS m (id) WHERE m.id <> ALL (refused));
  END IF;

  IF cardinality(made) < cardinality(arrived) THEN
    arrived := ARRAY (SELECT i FROM unnest(arrived) i WHERE i.id = ANY (made));
  END IF;

  INSERT INTO order_search (store_key, id, created_at, is_long, name, digits, grams)
  SELECT of_store, i.id, i.created_at, i.is_long, i.name, i.digits, i.grams FROM unnest(arrived) i;

  -- Takes over keys that are older than 24 hours.
  FOR arriving IN SELECT * FROM unnest(arrived) i WHERE i.client_key IS NOT NULL ORDER BY i.client_key LOOP
    INSERT INTO order_intake_keys AS k (store_key, client_key, order_id, fingerprint, status, taken_at)
    VALUES (of_store, arriving.client_key, arriving.id, decode(arriving.fingerprint, 'hex'), 201, arriving.updated_at)
    ON CONFLICT (store_key, client_key) DO UPDATE SET order_id = excluded.order_id, fingerprint = excluded.fingerprint,
      status = excluded.status, taken_at = excluded.taken_at
      WHERE excluded.taken_at - k.taken_at >= interval '24 hours'
    RETURNING k.order_id INTO made_id;
    IF made_id IS NULL THEN
      RAISE EXCEPTION 'An Idempotency-Key was used at the same moment' USING ERRCODE = 'unique_violation';
    END IF;
  END LOOP;

  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, new_value, via)
  SELECT of_store, i.id, 1, 'checked_menu_version', i.updated_at, i.checked_by, to_json(i.checked_menu_version),
    -- Each event ends with it, if an assistant made the order.
    CASE WHEN i.event_data LIKE '%,"via":"mcp"}' THEN 'mcp' END
  FROM unnest(arrived) i WHERE i.checked_menu_version IS NOT NULL;

  FOR counter IN
    SELECT l.level, i.hour / l.hours AS bucket,
      count(*) FILTER (WHERE i.status = 'PENDING') AS pending,
      count(*) FILTER (WHERE i.status = 'CUSTOMER_CANCELLED') AS customer_cancelled,
      count(*) FILTER (WHERE i.status = 'STORE_CANCELLED') AS store_cancelled,
      count(*) FILTER (WHERE i.status = 'ACCEPTED') AS accepted,
      count(*) FILTER (WHERE i.status = 'REJECTED') AS rejected,
      count(*) FILTER (WHERE i.status = 'READY') AS ready,
      count(*) FILTER (WHERE i.status = 'FULFILLED') AS fulfilled
    FROM unnest(arrived) i
    CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, 24), (2::smallint, 768)) AS l (level, hours)
    GROUP BY l.level, i.hour / l.hours
    ORDER BY 1 DESC, 2
  LOOP
    INSERT INTO order_counts AS c (store_key, level, bucket, slot, pending, customer_cancelled, store_cancelled,
      accepted, rejected, ready, fulfilled)
    VALUES (of_store, counter.level, counter.bucket, in_slot, counter.pending, counter.customer_cancelled,
      counter.store_cancelled, counter.accepted, counter.rejected, counter.ready, counter.fulfilled)
    ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
      pending = c.pending + excluded.pending, customer_cancelled = c.customer_cancelled + excluded.customer_cancelled,
      store_cancelled = c.store_cancelled + excluded.store_cancelled, accepted = c.accepted + excluded.accepted,
      rejected = c.rejected + excluded.rejected, ready = c.ready + excluded.ready,
      fulfilled = c.fulfilled + excluded.fulfilled;
  END LOOP;

  PERFORM count_sales(of_store, in_slot, ARRAY (
      SELECT (i.local_hour, i.status, count(*), sum(i.price), sum(i.tax))::counted_orders
      FROM unnest(arrived) i GROUP BY i.local_hour, i.status
    ), ARRAY (
      SELECT (i.local_hour, CASE WHEN s.id = ANY (not_listed) THEN '' ELSE s.id END, CASE
        WHEN i.status = 'REJECTED' THEN 'rejected'
        WHEN i.status IN ('CUSTOMER_CANCELLED', 'STORE_CANCELLED') THEN 'cancelled'
        ELSE 'sold' END, s.units, s.price, s.tax)::counted_items
      FROM unnest(arrived) i, unnest(i.sold_ids, i.sold_units, i.sold_prices, i.sold_taxes) AS s (id, units, price, tax)));

  -- Ids ascend in the order of arrival.
  SELECT append_events(of_store, array_agg(i.event_id ORDER BY i.id), array_agg(text 'order.created' ORDER BY i.id),
    array_agg(i.updated_at ORDER BY i.id), array_agg(
      -- The number goes after the id of the order, with which each begins.
      coalesce(left(t.data, 50) || ',"number":' || n.number || substr(t.data, 51), t.data) ORDER BY i.id))
  INTO last_number
  FROM unnest(arrived) i
  LEFT JOIN unnest(given_ids, given_times) AS g (id, ready_by) ON g.id = i.id
  LEFT JOIN unnest(numbered, numbers) AS n (id, number) ON n.id = i.id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN g.id IS NULL THEN i.event_data
      ELSE replace(i.event_data, '"ready_by":"' || to_char(i.ready_by AT TIME ZONE 'UTC', iso),
        '"ready_by":"' || to_char(g.ready_by AT TIME ZONE 'UTC', iso)) END AS data
  ) t;

  RETURN json_build_object('made', made, 'refused', refused, 'refusals', array_to_json(refusals),
    'numbers', (SELECT json_object_agg(n.id, n.number) FROM unnest(numbered, numbers) AS n (id, number)),
    'given', (
      SELECT json_object_agg(g.id, to_char(g.ready_by AT TIME ZONE 'UTC', iso))
      FROM unnest(given_ids, given_times) AS g (id, ready_by)),
    'is_unshown', is_unshown, 'last_sequence', last_number,
    'store', (
    SELECT json_build_object('id', s.id, 'created_at', s.created_at, 'name', s.name::text, 'external_id', s.external_id)
    FROM stores s WHERE s.store_key = of_store));
END $$;

-- Removes up to `most` final orders of one store that were completed before the given time, with everything that is kept
-- beside them, and returns how many. Orders that someone else is changing are left for later. Counts go down in `in_slot`, which no
-- other writer uses; a bucket without orders loses its rows.
CREATE OR REPLACE FUNCTION remove_orders(of_store integer, in_slot smallint, completed_before timestamptz, most integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  removed uuid[];
  emptied record;
BEGIN
  removed := ARRAY (
    SELECT o.id FROM orders o
    WHERE o.store_key = of_store AND o.id = ANY (ARRAY (
      (SELECT e.id FROM orders e
       WHERE e.store_key = of_store AND e.is_erased AND e.completed_at < completed_before
       ORDER BY e.completed_at LIMIT most)
      UNION ALL
      (SELECT e.id FROM orders e
       WHERE e.store_key = of_store AND NOT e.is_erased AND e.completed_at < completed_before
       ORDER BY e.completed_at LIMIT most)
      LIMIT most))
    ORDER BY o.id FOR UPDATE SKIP LOCKED);
  IF cardinality(removed) = 0 THEN
    RETURN 0;
  END IF;

  DELETE FROM order_history h WHERE h.store_key = of_store AND h.order_id = ANY (removed);
  DELETE FROM order_search s WHERE s.store_key = of_store AND s.id = ANY (removed);
  DELETE FROM order_intake_keys k WHERE k.store_key = of_store AND k.order_id = ANY (removed);

  -- Hours are numbered from the year 1.
  INSERT INTO order_counts AS c (store_key, level, bucket, slot, pending, customer_cancelled, store_cancelled, accepted,
    rejected, ready, fulfilled)
  SELECT of_store, l.level, i.hour / l.hours, in_slot, 0, -count(*) FILTER (WHERE i.status = 'CUSTOMER_CANCELLED'),
    -count(*) FILTER (WHERE i.status = 'STORE_CANCELLED'), 0, -count(*) FILTER (WHERE i.status = 'REJECTED'), 0,
    -count(*) FILTER (WHERE i.status = 'FULFILLED')
  FROM (
    SELECT o.status, floor((extract(epoch FROM o.created_at) + 62135596800) / 3600)::integer AS hour
    FROM orders o WHERE o.store_key = of_store AND o.id = ANY (removed)
  ) i
  CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, 24), (2::smallint, 768)) AS l (level, hours)
  GROUP BY l.level, i.hour / l.hours
  ORDER BY 2 DESC, 3
  ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
    customer_cancelled = c.customer_cancelled + excluded.customer_cancelled,
    store_cancelled = c.store_cancelled + excluded.store_cancelled, rejected = c.rejected + excluded.rejected,
    fulfilled = c.fulfilled + excluded.fulfilled;

  FOR emptied IN
    SELECT c.level, c.bucket FROM order_counts c
    WHERE c.store_key = of_store AND (c.level, c.bucket) IN (
      SELECT l.level, floor((extract(epoch FROM o.created_at) + 62135596800) / 3600)::integer / l.hours
      FROM orders o CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, 24), (2::smallint, 768)) AS l (level, hours)
      WHERE o.store_key = of_store AND o.id = ANY (removed))
    GROUP BY c.level, c.bucket
    HAVING sum(c.pending) = 0 AND sum(c.customer_cancelled) = 0 AND sum(c.store_cancelled) = 0 AND sum(c.accepted) = 0
      AND sum(c.rejected) = 0 AND sum(c.ready) = 0 AND sum(c.fulfilled) = 0
    ORDER BY c.level DESC, c.bucket
  LOOP
    -- A writer may have come in between: only what is locked counts.
    PERFORM c.slot FROM order_counts c
    WHERE c.store_key = of_store AND c.level = emptied.level AND c.bucket = emptied.bucket
    ORDER BY c.slot FOR UPDATE;
    DELETE FROM order_counts c
    WHERE c.store_key = of_store AND c.level = emptied.level AND c.bucket = emptied.bucket AND (
      SELECT sum(z.pending) = 0 AND sum(z.customer_cancelled) = 0 AND sum(z.store_cancelled) = 0 AND sum(z.accepted) = 0
        AND sum(z.rejected) = 0 AND sum(z.ready) = 0 AND sum(z.fulfilled) = 0
      FROM order_counts z
      WHERE z.store_key = of_store AND z.level = emptied.level AND z.bucket = emptied.bucket);
  END LOOP;

  DELETE FROM orders o WHERE o.store_key = of_store AND o.id = ANY (removed);
  RETURN cardinality(removed);
END $$;

-- Erases the customers of orders of one store. Each of `erasures` holds the revision that it is based on and the items
-- without their notes, and applies only if the order still has that revision. `told` are the events. Returns the ids of the
-- orders that were erased and the number of the last event. Without its fingerprint, an order repeats no other.
CREATE OR REPLACE FUNCTION erase_customers(of_store integer, erasures json, told json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  erasure     record;
  erased      uuid[] := '{}';
  last_number bigint;
BEGIN
  FOR erasure IN
    SELECT * FROM json_to_recordset(erasures) AS e (id uuid, revision integer, new_revision integer,
      updated_at timestamptz, items text, facts text)
    ORDER BY e.id
  LOOP
    UPDATE orders o SET customer_name = '', customer_phone = '', name_key = '', digits_key = '',
      customer_comments = NULL, reason_text = NULL, items = erasure.items, fingerprint = '', is_erased = true,
      facts = erasure.facts, reference_keys = NULL, revision = erasure.new_revision, updated_at = erasure.updated_at
    WHERE o.store_key = of_store AND o.id = erasure.id AND o.revision = erasure.revision;
    IF FOUND THEN
      erased := erased || erasure.id;
    END IF;
  END LOOP;

  UPDATE order_search s SET is_long = false, name = '', digits = '', grams = '{}'
  WHERE s.store_key = of_store AND s.id = ANY (erased);

  UPDATE order_intake_keys k SET fingerprint = '' WHERE k.store_key = of_store AND k.order_id = ANY (erased);

  -- No index leads from an order to its events, and few orders have a reason in words.
  IF EXISTS (
    SELECT 1 FROM order_history h
    WHERE h.store_key = of_store AND h.order_id = ANY (erased) AND h.field = 'reason_text')
  THEN
    UPDATE events e SET data = regexp_replace(e.data, ',"reason_text":"([^"\\]|\\.)*"', '')
    WHERE e.store_key = of_store AND e.type LIKE 'order.%' AND strpos(e.data, ',"reason_text":"') > 0
      AND substr(e.data, 14, 36) = ANY (erased::text[]);
  END IF;

  UPDATE order_history h SET old_value = NULL, new_value = NULL
  WHERE h.store_key = of_store AND h.order_id = ANY (erased)
    AND h.field IN ('customer_comments', 'reason_text', 'customer', 'items', 'delivery', 'references', 'custom', 'payments');

  SELECT append_events(of_store, array_agg(e.id ORDER BY e.place), array_agg(e.type ORDER BY e.place),
    array_agg(e.at ORDER BY e.place), array_agg(e.data ORDER BY e.place))
  INTO last_number
  FROM ROWS FROM (json_to_recordset(told) AS (order_id uuid, id uuid, type text, at timestamptz, data text))
    WITH ORDINALITY AS e (order_id, id, type, at, data, place)
  WHERE e.order_id = ANY (erased);

  RETURN json_build_object('erased', erased, 'last_sequence', last_number);
END $$;

-- Changes orders of one store. Each of `changes` holds the revision that it is based on and the new state, and applies only
-- if the order still has that revision. `notes` are rows of its history, `told` its events. Where lines become sold, cancelled or
-- rejected, `sold` has them, added up by item. An order that is rejected or cancelled gives back what it has taken of counted
-- items. `amended` are the columns of what was ordered and said, where that has changed; its `moves` are more or fewer units of
-- counted items, and how many it then wants: of fewer it gives back only what it has beyond these; `old_price`, `old_tax` and
-- `former` what it came to before. Raises CD003 if a checked order asks for more than is left. Returns the ids of the orders that
-- were changed, the number of the last event, and whether menus do not show yet what is left.
CREATE OR REPLACE FUNCTION change_orders(of_store integer, in_slot smallint, changes json, notes json, told json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  change      record;
  held        uuid[] := '{}';
  given_up    uuid[] := '{}';
  portion     record;
  available   integer;
  had         integer;
  moved       integer;
  is_unshown  boolean := false;
  of_orders   counted_orders[];
  of_items    counted_items[];
  last_number bigint;
BEGIN
  FOR change IN
    SELECT * FROM json_to_recordset(changes) AS c (id uuid, revision integer, new_revision integer, status order_status,
      is_read boolean, in_pos boolean, ready_by timestamptz, completed_at timestamptz, customer_comments text,
      updated_at timestamptz, reason text, reason_text text, attention_at timestamptz)
    ORDER BY c.id
  LOOP
    UPDATE orders o SET status = change.status, is_read = change.is_read, in_pos = change.in_pos,
      is_erased = o.is_erased AND change.customer_comments IS NULL AND change.reason_text IS NULL,
      ready_by = change.ready_by, completed_at = change.completed_at, customer_comments = change.customer_comments,
      revision = change.new_revision, updated_at = change.updated_at,
      reason = change.reason, reason_text = change.reason_text, attention_at = change.attention_at
    WHERE o.store_key = of_store AND o.id = change.id AND o.revision = change.revision;
    IF FOUND THEN
      held := held || change.id;
      IF change.status IN ('REJECTED', 'CUSTOMER_CANCELLED', 'STORE_CANCELLED') THEN
        given_up := given_up || change.id;
      END IF;
    END IF;
  END LOOP;

  FOR change IN
    SELECT c.id, c.former IS NOT NULL AS has_sold, c.sold, a.*
    FROM json_to_recordset(changes) AS c (id uuid, amended json, sold json, former json)
    CROSS JOIN LATERAL json_to_record(c.amended) AS a (price bigint, tax bigint, items text, facts text, due bigint,
      reference_keys integer[], line_totals text, customer_name text, customer_phone text, item_count integer,
      prep_minutes integer, name text, digits text, is_long boolean, grams integer[])
    WHERE c.amended IS NOT NULL AND c.id = ANY (held) ORDER BY c.id
  LOOP
    UPDATE orders o SET price = change.price, tax = change.tax, items = change.items, facts = change.facts,
      due = change.due, reference_keys = change.reference_keys, line_totals = change.line_totals,
      customer_name = change.customer_name, customer_phone = change.customer_phone, is_erased = false,
      unlisted = CASE WHEN NOT change.has_sold THEN o.unlisted ELSE (
        SELECT array_agg(DISTINCT s.id) FROM (
          SELECT unnest(o.unlisted) AS id
          UNION ALL
          SELECT x.external_id FROM json_to_recordset(change.sold) AS x (external_id text)
          WHERE x.external_id <> '' AND NOT starts_with(x.external_id, chr(1)) AND NOT EXISTS (
            SELECT FROM menu_entities e
            WHERE e.store_key = of_store AND e.kind = 'item' AND e.external_id = x.external_id)) s) END,
      item_count = coalesce(change.item_count, o.item_count), prep_minutes = coalesce(change.prep_minutes, o.prep_minutes),
      name_key = CASE WHEN change.name IS NULL THEN o.name_key WHEN NOT change.is_long THEN change.name END,
      digits_key = CASE WHEN change.name IS NULL THEN o.digits_key WHEN NOT change.is_long THEN change.digits END
    WHERE o.store_key = of_store AND o.id = change.id;

    IF change.name IS NOT NULL THEN
      UPDATE order_search s SET is_long = change.is_long, name = change.name, digits = change.digits, grams = change.grams
      WHERE s.store_key = of_store AND s.id = change.id;
    END IF;
  END LOOP;

  -- All at once and by entity, whether they are given back or taken.
  PERFORM m.entity_id FROM menu_marks m
  WHERE m.store_key = of_store AND m.entity_id = ANY (ARRAY (
    SELECT p.entity_id FROM json_to_recordset(changes) AS c (amended json),
      json_to_recordset(c.amended -> 'moves') AS p (entity_id bigint)
    UNION ALL
    SELECT p.entity_id FROM orders o, json_to_recordset(o.portions) AS p (entity_id bigint)
    WHERE o.store_key = of_store AND o.id = ANY (given_up)))
  ORDER BY m.entity_id FOR UPDATE;

  FOR portion IN
    SELECT c.id, p.entity_id, p.units, p.wanted, (c.amended ->> 'is_checked')::boolean AS is_checked
    FROM json_to_recordset(changes) AS c (id uuid, amended json),
      json_to_recordset(c.amended -> 'moves') AS p (entity_id bigint, units integer, wanted integer)
    WHERE c.id = ANY (held) AND c.id <> ALL (given_up) ORDER BY c.id, p.entity_id
  LOOP
    available := (
      SELECT m.remaining FROM menu_marks m WHERE m.store_key = of_store AND m.entity_id = portion.entity_id);
    CONTINUE WHEN available IS NULL;
    IF portion.units > available AND portion.is_checked THEN
      RAISE EXCEPTION 'Too little is left' USING ERRCODE = 'CD003';
    END IF;
    had := coalesce((
      SELECT sum(p.units) FROM orders o, json_to_recordset(o.portions) AS p (entity_id bigint, units integer)
      WHERE o.store_key = of_store AND o.id = portion.id AND p.entity_id = portion.entity_id), 0);
    moved := CASE WHEN portion.units > 0 THEN least(portion.units, available) ELSE -greatest(had - portion.wanted, 0) END;
    CONTINUE WHEN moved = 0;
    is_unshown := true;
    UPDATE menu_marks m SET remaining = least(m.remaining - moved, 100000)
    WHERE m.store_key = of_store AND m.entity_id = portion.entity_id;
    UPDATE orders o SET portions = (
      SELECT json_agg(json_build_object('entity_id', t.entity_id, 'units', t.units))
      FROM (
        SELECT p.entity_id, p.units FROM json_to_recordset(o.portions) AS p (entity_id bigint, units integer)
        WHERE p.entity_id <> portion.entity_id
        UNION ALL
        SELECT portion.entity_id, had + moved
      ) t WHERE t.units > 0)
    WHERE o.store_key = of_store AND o.id = portion.id;
  END LOOP;

  IF cardinality(given_up) > 0 THEN
    FOR portion IN
      SELECT p.entity_id, sum(p.units)::integer AS units
      FROM orders o, json_to_recordset(o.portions) AS p (entity_id bigint, units integer)
      WHERE o.store_key = of_store AND o.id = ANY (given_up)
      GROUP BY p.entity_id ORDER BY p.entity_id
    LOOP
      UPDATE menu_marks m SET remaining = least(m.remaining + portion.units, 100000)
      WHERE m.store_key = of_store AND m.entity_id = portion.entity_id AND m.remaining IS NOT NULL;
      is_unshown := true;
    END LOOP;

    IF is_unshown THEN
      UPDATE orders o SET portions = NULL
      WHERE o.store_key = of_store AND o.id = ANY (given_up) AND o.portions IS NOT NULL;
    END IF;
  END IF;

  IF is_unshown THEN
    is_unshown := EXISTS (
      SELECT 1 FROM menu_marks m
      WHERE m.store_key = of_store AND m.remaining IS NOT NULL AND (m.remaining = 0) <> m.is_out);
  END IF;

  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, old_value, new_value, via)
  SELECT of_store, n.order_id, n.revision, n.field, n.changed_at, n.key_id, n.old_value, n.new_value, n.via
  FROM json_to_recordset(notes) AS n (order_id uuid, revision integer, field text, changed_at timestamptz, key_id text,
    old_value json, new_value json, via text)
  WHERE n.order_id = ANY (held);

  INSERT INTO order_counts AS c (store_key, level, bucket, slot, pending, customer_cancelled, store_cancelled, accepted,
    rejected, ready, fulfilled)
  SELECT of_store, l.level, m.hour / l.hours, in_slot,
    sum((m.status = 'PENDING')::integer - (m.old_status = 'PENDING')::integer),
    sum((m.status = 'CUSTOMER_CANCELLED')::integer - (m.old_status = 'CUSTOMER_CANCELLED')::integer),
    sum((m.status = 'STORE_CANCELLED')::integer - (m.old_status = 'STORE_CANCELLED')::integer),
    sum((m.status = 'ACCEPTED')::integer - (m.old_status = 'ACCEPTED')::integer),
    sum((m.status = 'REJECTED')::integer - (m.old_status = 'REJECTED')::integer),
    sum((m.status = 'READY')::integer - (m.old_status = 'READY')::integer),
    sum((m.status = 'FULFILLED')::integer - (m.old_status = 'FULFILLED')::integer)
  FROM json_to_recordset(changes) AS m (id uuid, hour integer, old_status order_status, status order_status)
  CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, 24), (2::smallint, 768)) AS l (level, hours)
  WHERE m.id = ANY (held) AND m.status <> m.old_status
  GROUP BY l.level, m.hour / l.hours
  ORDER BY 2 DESC, 3
  ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
    pending = c.pending + excluded.pending, customer_cancelled = c.customer_cancelled + excluded.customer_cancelled,
    store_cancelled = c.store_cancelled + excluded.store_cancelled, accepted = c.accepted + excluded.accepted,
    rejected = c.rejected + excluded.rejected, ready = c.ready + excluded.ready,
    fulfilled = c.fulfilled + excluded.fulfilled;

  -- In steps: Citus runs no function that writes in a query that reads a table. Of an amended order, what it came to before is
  -- taken away. Orders of 0.1.0 have no hour of their own: they were counted in that of the time zone in sales_progress.
  SELECT array_agg((coalesce(o.local_hour, p.hour), t.status, t.sign, t.sign * t.price, t.sign * t.tax)::counted_orders)
  INTO of_orders
  FROM json_to_recordset(changes)
    AS m (id uuid, old_status order_status, status order_status, old_price bigint, old_tax bigint)
  JOIN orders o ON o.store_key = of_store AND o.id = m.id
  CROSS JOIN LATERAL (VALUES (m.status, 1, o.price, o.tax),
    (m.old_status, -1, coalesce(m.old_price, o.price), coalesce(m.old_tax, o.tax))) AS t (status, sign, price, tax)
  LEFT JOIN LATERAL (
    SELECT floor((extract(epoch FROM o.created_at AT TIME ZONE p.timezone) + 62135596800) / 3600)::integer AS hour
    FROM sales_progress p WHERE p.store_key = of_store AND o.local_hour IS NULL
  ) p ON true
  WHERE m.id = ANY (held) AND (m.status <> m.old_status OR m.old_price IS NOT NULL);

  IF of_orders IS NOT NULL THEN
    SELECT array_agg((coalesce(o.local_hour, p.hour), CASE WHEN x.external_id = ANY (o.unlisted) THEN '' ELSE x.external_id END,
      t.outcome, t.sign * x.units, t.sign * x.price, t.sign * x.tax)::counted_items)
    INTO of_items
    FROM json_to_recordset(changes)
      AS m (id uuid, old_status order_status, status order_status, sold json, former json)
    JOIN orders o ON o.store_key = of_store AND o.id = m.id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN m.status = 'REJECTED' THEN 'rejected'
          WHEN m.status IN ('CUSTOMER_CANCELLED', 'STORE_CANCELLED') THEN 'cancelled' ELSE 'sold' END AS after,
        CASE WHEN m.old_status = 'REJECTED' THEN 'rejected'
          WHEN m.old_status IN ('CUSTOMER_CANCELLED', 'STORE_CANCELLED') THEN 'cancelled' ELSE 'sold' END AS before
    ) b
    CROSS JOIN LATERAL (VALUES (b.after, 1, m.sold), (b.before, -1, coalesce(m.former, m.sold))) AS t (outcome, sign, sold)
    CROSS JOIN LATERAL json_to_recordset(t.sold) AS x (external_id text, units bigint, price numeric, tax numeric)
    LEFT JOIN LATERAL (
      SELECT floor((extract(epoch FROM o.created_at AT TIME ZONE p.timezone) + 62135596800) / 3600)::integer AS hour
      FROM sales_progress p WHERE p.store_key = of_store AND o.local_hour IS NULL
    ) p ON true
    WHERE m.id = ANY (held) AND (b.after <> b.before OR m.former IS NOT NULL);
    PERFORM count_sales(of_store, in_slot, of_orders, of_items);
  END IF;

  SELECT append_events(of_store, array_agg(e.id ORDER BY e.place), array_agg(e.type ORDER BY e.place),
    array_agg(e.at ORDER BY e.place), array_agg(e.data ORDER BY e.place))
  INTO last_number
  FROM ROWS FROM (json_to_recordset(told) AS (order_id uuid, id uuid, type text, at timestamptz, data text))
    WITH ORDINALITY AS e (order_id, id, type, at, data, place)
  WHERE e.order_id = ANY (held);

  RETURN json_build_object('changed', held, 'is_unshown', is_unshown, 'last_sequence', last_number);
END $$;
