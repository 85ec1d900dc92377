-- Where the history of a session begins, if what was before it is forgotten. The state is in `snapshots`.
CREATE TABLE beginnings (
  session INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,           -- of the first state; the entry that led to it is forgotten, too
  hash INTEGER NOT NULL,               -- that of this entry, from which the hash of the next one goes on
  at INTEGER NOT NULL,                 -- the time of this entry
  birth INTEGER NOT NULL,              -- the hash of the unchanging part of the session, from which its first entry went on
  journal INTEGER NOT NULL,            -- of the bytes that `snapshots.journal` counts, those that are forgotten
  "check" INTEGER NOT NULL
) STRICT;

-- Forgotten entries that are still to be erased, newest first. A session can have several rows.
CREATE TABLE forgotten (
  number INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  entry INTEGER                        -- the next one; NULL: none is left
) STRICT;

-- The session's revision when the response was given; 0: unknown, as of all responses that were kept before.
ALTER TABLE responses ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
