-- Canonical texts of definitions. A session stays on the one it was started with, whatever becomes of the file.
CREATE TABLE definitions (
  hash TEXT NOT NULL PRIMARY KEY,      -- lower-case hex of SHA-256 over the text
  text TEXT NOT NULL
) STRICT;

-- The newest state of each session, replaced with every commit of it.
CREATE TABLE sessions (
  number INTEGER PRIMARY KEY,          -- order of creation
  id TEXT NOT NULL UNIQUE,
  app TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (hash),
  label TEXT,
  created_at INTEGER NOT NULL,         -- milliseconds since 1970, as all times
  updated_at INTEGER NOT NULL,
  secret_hash BLOB NOT NULL,           -- SHA-256 of the session's secret
  revision INTEGER NOT NULL,
  effects INTEGER NOT NULL,            -- how many effects the state holds
  last_entry INTEGER NOT NULL,         -- the end of its chain in entries
  state TEXT NOT NULL                  -- JSON
) STRICT;

-- What a restart has to take up again.
CREATE INDEX sessions_with_effects ON sessions (number) WHERE effects > 0;

-- The journal, append-only. No index: the entries of a session are a chain of row numbers, newest first.
CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  previous INTEGER,                    -- the entry before it in the same session; NULL: its first
  revision INTEGER NOT NULL,           -- the one that it made
  at INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  cause TEXT NOT NULL                  -- JSON: the creation or the action, without secrets
) STRICT;

-- Secrets in AES-GCM boxes (nonce, ciphertext, tag); the session and the slot are authenticated with them.
CREATE TABLE secrets (
  session TEXT NOT NULL,
  slot INTEGER NOT NULL,               -- 0: the access token; n: the code of the token call that runs as effect n
  box BLOB NOT NULL,
  PRIMARY KEY (session, slot)
) STRICT, WITHOUT ROWID;

-- Single values: a box that tells whether the key is the right one, and when the journal was last probed.
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
