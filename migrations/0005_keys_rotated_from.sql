-- Rotating a key looks for the one that has replaced it already.
CREATE INDEX api_keys_rotated_from ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL;
