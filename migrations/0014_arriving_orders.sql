-- What version 0.2.0 tells take_in_orders about an order. Version 0.1.0 sends none of it.

-- checked_menu_version: the version of the menu that the order was checked against, and checked_by the API key that asked for
-- it. NULL: not checked.
ALTER TYPE arriving_order ADD ATTRIBUTE checked_menu_version bigint, ADD ATTRIBUTE checked_by text;

-- What it asks for of counted items: a list of entity_id and units.
ALTER TYPE arriving_order ADD ATTRIBUTE portions json;

ALTER TYPE arriving_order ADD ATTRIBUTE item_count integer, ADD ATTRIBUTE prep_minutes integer;

ALTER TYPE arriving_order ADD ATTRIBUTE attention_at timestamptz;

-- most_open: how many orders of the place may be PENDING. most_recent: how many it may make from recent_since on.
ALTER TYPE arriving_order ADD ATTRIBUTE place_id uuid, ADD ATTRIBUTE place_label text, ADD ATTRIBUTE place_kind text,
  ADD ATTRIBUTE guest_token text, ADD ATTRIBUTE most_open integer, ADD ATTRIBUTE most_recent integer,
  ADD ATTRIBUTE recent_since timestamptz;

ALTER TYPE arriving_order ADD ATTRIBUTE local_hour integer;
