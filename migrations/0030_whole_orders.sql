-- What an order says beside its lines.

-- number: what the store calls out, 1 to 999 each day; NULL in orders from before, whose customer_name still ends in the place.
-- facts: JSON text with service, source, references, charges, discounts, tip, payments, delivery and custom, as far as the order
-- has them. due: what is to be paid, where that is not price + tax. reference_keys: hashes of its references.
-- line_totals: JSON text, price and tax of each line of an order that was checked against the menu.
ALTER TABLE orders ADD COLUMN number smallint, ADD COLUMN facts text, ADD COLUMN due bigint, ADD COLUMN reference_keys integer[],
  ADD COLUMN line_totals text;

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
