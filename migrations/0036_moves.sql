-- Merchants that move to another installation.

-- moving: NULL for a merchant that is here and stays; 'refusing' while it leaves and its writes are refused; 'arriving' while it is
-- copied to this installation; once it has left, the address where it is. Stores, keys and webhooks repeat it, so that whoever looks
-- one of them up needs no other row. moving_until: when a refusal ends by itself. moving_position: which snapshot of the old place an
-- arriving merchant has been copied from.
ALTER TABLE merchants ADD COLUMN moving text, ADD COLUMN moving_until timestamptz, ADD COLUMN moving_position text;
ALTER TABLE stores ADD COLUMN moving text;
ALTER TABLE api_keys ADD COLUMN moving text;
ALTER TABLE webhooks ADD COLUMN moving text;

-- The few that move, for the clock.
CREATE INDEX merchants_moving ON merchants (moving_until) WHERE moving IS NOT NULL;
CREATE INDEX stores_moving ON stores (store_key) WHERE moving IS NOT NULL;
