-- A field of an order that is cleared has no value after the change.
ALTER TABLE order_history ALTER COLUMN new_value DROP NOT NULL;
