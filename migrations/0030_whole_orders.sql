-- What an order says beside its lines.

-- The last number that a store gave on a day, counted on past 999. Days begin at 06:00 on the clock of the store.
CREATE TABLE order_numbers (
  store_key integer NOT NULL,
  day       integer NOT NULL,
  last      integer NOT NULL,
  PRIMARY KEY (store_key, day)
) WITH (fillfactor = 10);

-- number_day: the day whose next number the order gets.
ALTER TYPE arriving_order ADD ATTRIBUTE number_day integer, ADD ATTRIBUTE facts text, ADD ATTRIBUTE due bigint,
  ADD ATTRIBUTE reference_keys integer[], ADD ATTRIBUTE line_totals text;
