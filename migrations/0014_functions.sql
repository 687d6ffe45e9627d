-- The current text of every function, in one place. A later change of a function goes into a new migration that holds
-- all of them again.
--
-- Each function is one statement of the service: one transaction, on the shard of one store. All writers lock rows in the
-- same order, so they cannot deadlock: orders by external_id or id, Idempotency-Keys, counts from the highest level down,
-- and the event counter last, because whoever holds it blocks all other writers of the store until the commit. Times
-- come from the caller.

-- The version of the menu that the order was checked against, and the API key that asked for it. NULL: not checked.
ALTER TYPE arriving_order ADD ATTRIBUTE checked_menu_version bigint, ADD ATTRIBUTE checked_by text;

-- Numbers the events in the order given and returns the last number, or NULL if there are no events. Raises CD001 if the
-- store has been deleted.
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

-- Creates orders of one store, given as a JSON array of arriving_order. Returns the ids of the orders it created, the store
-- as it is now, and the number of the last event. The other orders have an external_id or an Idempotency-Key that exists
-- already. An Idempotency-Key that another transaction commits at the same moment is a unique violation: nothing is written.
CREATE OR REPLACE FUNCTION take_in_orders(of_store integer, in_slot smallint, given json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  arrived     arriving_order[];
  used_keys   text[];
  made        uuid[] := '{}';
  made_id     uuid;
  kept_keys   integer := 0;
  last_number bigint;
BEGIN
  arrived := ARRAY (
    SELECT i FROM json_populate_recordset(NULL::arriving_order, given) i ORDER BY i.external_id, i.id);

  used_keys := ARRAY (
    SELECT k.client_key FROM order_intake_keys k
    WHERE k.store_key = of_store AND k.client_key = ANY (ARRAY (SELECT i.client_key FROM unnest(arrived) i))
      AND k.taken_at + interval '24 hours' > (SELECT max(i.updated_at) FROM unnest(arrived) i));
  IF cardinality(used_keys) > 0 THEN
    arrived := ARRAY (
      SELECT i FROM unnest(arrived) i WHERE i.client_key IS NULL OR i.client_key <> ALL (used_keys));
  END IF;

  FOR made_id IN
    INSERT INTO orders (store_key, id, created_at, ready_by, completed_at, updated_at, status, is_read, in_pos, price,
      tax, external_id, fingerprint, customer_name, customer_phone, name_key, digits_key, customer_comments, items)
    SELECT of_store, i.id, i.created_at, i.ready_by, i.completed_at, i.updated_at, i.status, i.is_read, i.in_pos,
      i.price, i.tax, i.external_id, decode(i.fingerprint, 'hex'), i.customer_name, i.customer_phone,
      CASE WHEN i.is_long THEN NULL ELSE i.name END, CASE WHEN i.is_long THEN NULL ELSE i.digits END,
      i.customer_comments, i.items
    FROM unnest(arrived) i
    ON CONFLICT DO NOTHING
    RETURNING orders.id
  LOOP
    made := made || made_id;
  END LOOP;

  IF cardinality(made) < cardinality(arrived) THEN
    arrived := ARRAY (SELECT i FROM unnest(arrived) i WHERE i.id = ANY (made));
  END IF;

  INSERT INTO order_search (store_key, id, created_at, is_long, name, digits, grams)
  SELECT of_store, i.id, i.created_at, i.is_long, i.name, i.digits, i.grams FROM unnest(arrived) i;

  -- Takes over keys that are older than 24 hours. Counted by RETURNING: on Citus, ROW_COUNT counts rows that were not written too.
  FOR made_id IN
    INSERT INTO order_intake_keys AS k (store_key, client_key, order_id, fingerprint, status, taken_at)
    SELECT of_store, i.client_key, i.id, decode(i.fingerprint, 'hex'), 201, i.updated_at
    FROM unnest(arrived) i WHERE i.client_key IS NOT NULL ORDER BY i.client_key
    ON CONFLICT (store_key, client_key) DO UPDATE SET order_id = excluded.order_id, fingerprint = excluded.fingerprint,
      status = excluded.status, taken_at = excluded.taken_at
      WHERE excluded.taken_at - k.taken_at >= interval '24 hours'
    RETURNING k.order_id
  LOOP
    kept_keys := kept_keys + 1;
  END LOOP;
  IF kept_keys < (SELECT count(i.client_key) FROM unnest(arrived) i) THEN
    RAISE EXCEPTION 'An Idempotency-Key was used at the same moment' USING ERRCODE = 'unique_violation';
  END IF;

  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, new_value)
  SELECT of_store, i.id, 1, 'checked_menu_version', i.updated_at, i.checked_by, to_json(i.checked_menu_version)
  FROM unnest(arrived) i WHERE i.checked_menu_version IS NOT NULL;

  INSERT INTO order_counts AS c (store_key, level, bucket, slot, pending, customer_cancelled, store_cancelled, accepted,
    rejected, ready, fulfilled)
  SELECT of_store, l.level, i.hour / l.hours, in_slot,
    count(*) FILTER (WHERE i.status = 'PENDING'), count(*) FILTER (WHERE i.status = 'CUSTOMER_CANCELLED'),
    count(*) FILTER (WHERE i.status = 'STORE_CANCELLED'), count(*) FILTER (WHERE i.status = 'ACCEPTED'),
    count(*) FILTER (WHERE i.status = 'REJECTED'), count(*) FILTER (WHERE i.status = 'READY'),
    count(*) FILTER (WHERE i.status = 'FULFILLED')
  FROM unnest(arrived) i
  CROSS JOIN (VALUES (0::smallint, 1), (1::smallint, 24), (2::smallint, 768)) AS l (level, hours)
  GROUP BY l.level, i.hour / l.hours
  ORDER BY 2 DESC, 3
  ON CONFLICT (store_key, level, bucket, slot) DO UPDATE SET
    pending = c.pending + excluded.pending, customer_cancelled = c.customer_cancelled + excluded.customer_cancelled,
    store_cancelled = c.store_cancelled + excluded.store_cancelled, accepted = c.accepted + excluded.accepted,
    rejected = c.rejected + excluded.rejected, ready = c.ready + excluded.ready,
    fulfilled = c.fulfilled + excluded.fulfilled;

  -- Ids ascend in the order of arrival.
  SELECT append_events(of_store, array_agg(i.event_id ORDER BY i.id), array_agg(text 'order.created' ORDER BY i.id),
    array_agg(i.updated_at ORDER BY i.id), array_agg(i.event_data ORDER BY i.id))
  INTO last_number FROM unnest(arrived) i;

  RETURN json_build_object('made', made, 'last_sequence', last_number, 'store', (
    SELECT json_build_object('id', s.id, 'created_at', s.created_at, 'name', s.name::text, 'external_id', s.external_id)
    FROM stores s WHERE s.store_key = of_store));
END $$;

-- take_in_orders has taken its place. Replicas of the version before still call it during an upgrade.
CREATE OR REPLACE FUNCTION take_in_checked_orders(of_store integer, in_slot smallint, given json, checked json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  answer json;
BEGIN
  answer := take_in_orders(of_store, in_slot, given);
  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, new_value)
  SELECT of_store, c.order_id, 1, 'checked_menu_version', c.at, c.key_id, c.menu_version
  FROM json_to_recordset(checked) AS c (order_id uuid, at timestamptz, key_id text, menu_version json)
  WHERE c.order_id IN (SELECT m.id::uuid FROM json_array_elements_text(answer -> 'made') AS m (id));
  RETURN answer;
END $$;

-- Changes orders of one store. Each of `changes` holds the revision that it is based on and the new state, and applies only
-- if the order still has that revision. `notes` are rows of its history, `told` its events. Returns the ids of the orders
-- that were changed and the number of the last event.
CREATE OR REPLACE FUNCTION change_orders(of_store integer, in_slot smallint, changes json, notes json, told json)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  change      record;
  held        uuid[] := '{}';
  last_number bigint;
BEGIN
  FOR change IN
    SELECT * FROM json_to_recordset(changes) AS c (id uuid, revision integer, new_revision integer, status order_status,
      is_read boolean, in_pos boolean, ready_by timestamptz, completed_at timestamptz, customer_comments text,
      updated_at timestamptz)
    ORDER BY c.id
  LOOP
    UPDATE orders o SET status = change.status, is_read = change.is_read, in_pos = change.in_pos,
      ready_by = change.ready_by, completed_at = change.completed_at, customer_comments = change.customer_comments,
      revision = change.new_revision, updated_at = change.updated_at
    WHERE o.store_key = of_store AND o.id = change.id AND o.revision = change.revision;
    IF FOUND THEN
      held := held || change.id;
    END IF;
  END LOOP;

  INSERT INTO order_history (store_key, order_id, revision, field, changed_at, key_id, old_value, new_value)
  SELECT of_store, n.order_id, n.revision, n.field, n.changed_at, n.key_id, n.old_value, n.new_value
  FROM json_to_recordset(notes) AS n (order_id uuid, revision integer, field text, changed_at timestamptz, key_id text,
    old_value json, new_value json)
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

  SELECT append_events(of_store, array_agg(e.id ORDER BY e.place), array_agg(e.type ORDER BY e.place),
    array_agg(e.at ORDER BY e.place), array_agg(e.data ORDER BY e.place))
  INTO last_number
  FROM ROWS FROM (json_to_recordset(told) AS (order_id uuid, id uuid, type text, at timestamptz, data text))
    WITH ORDINALITY AS e (order_id, id, type, at, data, place)
  WHERE e.order_id = ANY (held);

  RETURN json_build_object('changed', held, 'last_sequence', last_number);
END $$;

-- What the first request under the key was answered: 201 if it created the order, 200 if it found it by external_id.
ALTER TABLE order_intake_keys ADD COLUMN status smallint NOT NULL DEFAULT 201;
