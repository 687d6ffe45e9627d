-- The endpoints that were made with a key, for when it is revoked.
CREATE INDEX webhooks_of_key ON webhooks (key_id);

-- How many attempts of an endpoint are no longer kept one by one; NULL means none.
ALTER TABLE webhooks ADD COLUMN older_delivered bigint;
ALTER TABLE webhooks ADD COLUMN older_failed bigint;
