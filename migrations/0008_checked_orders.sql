-- Orders that are checked against the menu before they are taken in.

-- Whether every order is; NULL means that only those are whose sender asks for it.
ALTER TABLE stores ADD COLUMN orders_checked boolean;

-- Takes in orders of which some were checked, and keeps of these, with their history, which version of the menu they
-- were checked against: `checked` is a JSON list with order_id, at, key_id and menu_version.
CREATE FUNCTION take_in_checked_orders(of_store integer, in_slot smallint, given json, checked json)
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
END
$$;
