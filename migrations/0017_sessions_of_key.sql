-- The sessions of a key, of which only the newest are kept.
CREATE INDEX console_sessions_of_key ON console_sessions (key_hash, last_used_at);
