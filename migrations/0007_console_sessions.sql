-- Sessions of the console: a browser's stand-in for a key. Only the SHA-256 of the token is kept. key_hash is that of
-- the key's secret, whether the key is in api_keys or was given from outside: a session holds no longer than its key.
CREATE TABLE console_sessions (
  token_hash   bytea PRIMARY KEY,
  key_hash     bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);

CREATE INDEX console_sessions_by_age ON console_sessions (last_used_at);

-- Codes that open one session each, in place of a key.
CREATE TABLE console_codes (
  code_hash  bytea PRIMARY KEY,
  key_hash   bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
