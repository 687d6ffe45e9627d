-- Which key issued this one: revoking a key can end what it issued. NULL for keys from before, and for the first operator key.
-- Text, because the operator key that comes from the environment is in no table.
ALTER TABLE api_keys ADD COLUMN issued_by text;

CREATE INDEX api_keys_issued_by ON api_keys (issued_by) WHERE issued_by IS NOT NULL;
