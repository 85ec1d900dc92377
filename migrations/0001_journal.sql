-- Canonical texts of definitions. A session keeps the one it was started with, whatever becomes of the file.
CREATE TABLE definitions (
  hash TEXT NOT NULL PRIMARY KEY,      -- lower-case hex of SHA-256 over the text
  text TEXT NOT NULL
) STRICT;

-- The parameters of a session's creation. A row is written once; the hash of the session's first entry covers it.
CREATE TABLE sessions (
  number INTEGER PRIMARY KEY,          -- order of creation
  id TEXT NOT NULL UNIQUE,
  app TEXT NOT NULL,
  created_at INTEGER NOT NULL,         -- milliseconds since 1970, as all times
  secret_hash BLOB NOT NULL,           -- SHA-256 of the session's secret
  manual INTEGER NOT NULL              -- 1: its clock is moved by hand, so the time of its newest entry does not tell when it was used
) STRICT;

-- Lists read on in one index, in order of creation.
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX sessions_by_app ON sessions (app, created_at);

-- The journal, append-only. No index: the entries of a session are a chain of row numbers, newest first.
CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,            -- its number
  previous INTEGER,                    -- the entry before it in the same session, a lower number; NULL: its first
  revision INTEGER NOT NULL,           -- the one that it made
  hash INTEGER NOT NULL,               -- SipHash-2-4 of the previous entry's hash and of the columns below and `revision`
  at INTEGER NOT NULL,
  due INTEGER,                         -- when the session's effects have to be looked at after it; NULL: never
  engine INTEGER NOT NULL,             -- the behaviour that it was made by
  format INTEGER NOT NULL,             -- of cause and difference
  definition TEXT REFERENCES definitions (hash),  -- the session's from this entry on; NULL: as before
  label TEXT,                          -- the session's from this entry on; NULL: as before
  nonce TEXT NOT NULL,
  request TEXT,                        -- the id of the request that asked for it; NULL: none did
  cause TEXT NOT NULL,                 -- JSON: the creation or the action, without secrets
  difference BLOB NOT NULL             -- JSON: what it changed in the state
) STRICT;

-- Where each session stands. `definition` and `label` are always current. The other columns follow behind the commits: the entries
-- above the mark `flushed` are newer.
CREATE TABLE heads (
  session INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  entry INTEGER NOT NULL,              -- the newest
  hash INTEGER NOT NULL,               -- that entry's
  updated_at INTEGER NOT NULL,
  due INTEGER,
  definition TEXT NOT NULL REFERENCES definitions (hash),
  label TEXT,
  created_at INTEGER NOT NULL          -- the session's, for the indexes
) STRICT;

CREATE INDEX heads_due ON heads (due) WHERE due IS NOT NULL;
CREATE INDEX heads_by_definition ON heads (definition, created_at);
CREATE INDEX heads_by_label ON heads (label, created_at) WHERE label IS NOT NULL;

-- A whole state now and then, so that each one is near to one: short cuts, any of which could be made again from entries.
CREATE TABLE snapshots (
  entry INTEGER PRIMARY KEY,           -- the entry that led to it
  session INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  format INTEGER NOT NULL,
  definition TEXT NOT NULL,            -- the hash of the one that the state belongs to
  journal INTEGER NOT NULL,            -- bytes of the session's entries and snapshots up to this one, which is included
  state BLOB NOT NULL,
  "check" INTEGER NOT NULL             -- SipHash-2-4 of the other columns, as in all tables
) STRICT;

CREATE UNIQUE INDEX snapshots_by_revision ON snapshots (session, revision);

-- `flushed`: the heads are those of all entries up to this one. `deleted`: the number of the newest deletion.
CREATE TABLE marks (
  name TEXT NOT NULL PRIMARY KEY,
  entry INTEGER NOT NULL,
  "check" INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions that were deleted and whose entries are still to be erased, newest first.
CREATE TABLE tombstones (
  session INTEGER PRIMARY KEY,
  entry INTEGER                        -- the next one; NULL: none is left
) STRICT;

-- Secrets in AES-GCM boxes (nonce, ciphertext, tag); the session and the slot are authenticated with them.
CREATE TABLE secrets (
  session TEXT NOT NULL,               -- its id
  slot INTEGER NOT NULL,               -- 0: the access token; n: the code of the token call that runs as effect n
  box BLOB NOT NULL,
  "check" INTEGER NOT NULL,
  PRIMARY KEY (session, slot)
) STRICT, WITHOUT ROWID;

-- Responses to requests that named a key, so that a repeat gets the same; and marks of messages that were taken. Only keyed requests
-- have rows.
CREATE TABLE responses (
  number INTEGER PRIMARY KEY,          -- in the order in which they were given
  session INTEGER NOT NULL,            -- its number; 0: a creation, whose row outlives its session
  key BLOB NOT NULL,                   -- a hash of the caller's; of a creation that of the session's id
  request BLOB NOT NULL,               -- a hash of the request
  until INTEGER NOT NULL,              -- it expires then
  status INTEGER NOT NULL,             -- 0: the response is not kept, only that there was one
  head TEXT NOT NULL,                  -- a line for each field: name, colon, blank, value
  body BLOB NOT NULL,
  secret_at INTEGER,                   -- where in the body a secret belongs that is not kept; NULL: none
  "check" INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX responses_by_key ON responses (session, key);

-- Since when an app is served with which definition: what the folder brought, and what operators put above it.
CREATE TABLE editions (
  number INTEGER PRIMARY KEY,          -- in the order in which they came
  app TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (hash),
  since INTEGER NOT NULL,
  author TEXT,                         -- the operator who put it; NULL: the folder's
  above TEXT,                          -- of one that was put: the hash of what the folder had then; NULL: nothing
  "check" INTEGER NOT NULL
) STRICT;

CREATE INDEX editions_by_app ON editions (app, number);

-- Single values: the database's id, boxes that tell whether the key is the right one, the key of the hashes above.
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL,
  "check" INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
