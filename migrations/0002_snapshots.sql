-- An entry says what it changed in the state, so that a state is made of entries alone: no commit writes a whole one, and a newer engine
-- cannot change what was acknowledged. What stands here from the first version is format 1 and engine 1, without a difference.
ALTER TABLE entries ADD COLUMN session INTEGER NOT NULL DEFAULT 0;  -- its number; 0: written by the first version
ALTER TABLE entries ADD COLUMN kind INTEGER NOT NULL DEFAULT 1;     -- 1: an accepted action, or the creation
ALTER TABLE entries ADD COLUMN due INTEGER;                         -- when the session's effects have to be looked at after it; NULL: never
ALTER TABLE entries ADD COLUMN engine INTEGER NOT NULL DEFAULT 1;   -- the behaviour that it was made by
ALTER TABLE entries ADD COLUMN format INTEGER NOT NULL DEFAULT 1;   -- of cause and difference
ALTER TABLE entries ADD COLUMN difference BLOB;
ALTER TABLE entries ADD COLUMN key BLOB;                            -- the caller's idempotency key, as a hash; NULL: none
ALTER TABLE entries ADD COLUMN print BLOB;                          -- of the request that came with the key

-- A whole state now and then, so that each one is near to one: short cuts, any of which could be made again from entries.
CREATE TABLE snapshots (
  entry INTEGER PRIMARY KEY,           -- the entry that led to it
  session INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  format INTEGER NOT NULL,
  engine INTEGER NOT NULL,
  state BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX snapshots_by_revision ON snapshots (session, revision);

INSERT INTO snapshots (entry, session, revision, format, engine, state)
  SELECT last_entry, number, revision, 1, 1, CAST(state AS BLOB) FROM sessions;

-- Where each session stands. Written behind the commits: what is newer than the mark is found in the entries behind it.
CREATE TABLE heads (
  session INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  due INTEGER
) STRICT;

CREATE INDEX heads_due ON heads (due) WHERE due IS NOT NULL;

-- When the effects of the first version are due stands in its states alone: they are looked at at once.
INSERT INTO heads (session, revision, entry, updated_at, due)
  SELECT number, revision, last_entry, updated_at, CASE WHEN effects > 0 THEN 0 END FROM sessions;

CREATE TABLE marks (
  name TEXT NOT NULL PRIMARY KEY,
  entry INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The heads are those of all entries up to this one.
INSERT INTO marks (name, entry) SELECT 'flushed', coalesce(max(number), 0) FROM entries;

-- Sessions that were deleted and whose entries are still to be erased, newest first.
CREATE TABLE graves (
  session INTEGER PRIMARY KEY,
  entry INTEGER                        -- the next one; NULL: none is left
) STRICT;

-- Written at birth only.
CREATE TABLE births (
  number INTEGER PRIMARY KEY,          -- order of creation
  id TEXT NOT NULL UNIQUE,
  app TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (hash),
  label TEXT,
  created_at INTEGER NOT NULL,
  secret_hash BLOB NOT NULL            -- SHA-256 of the session's secret
) STRICT;

INSERT INTO births (number, id, app, definition, label, created_at, secret_hash)
  SELECT number, id, app, definition, label, created_at, secret_hash FROM sessions;

DROP TABLE sessions;

ALTER TABLE births RENAME TO sessions;
