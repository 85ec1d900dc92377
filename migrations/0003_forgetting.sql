-- Where the history of a session begins, if what was before it is forgotten. The state is in `snapshots`.
CREATE TABLE beginnings (
  session INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,           -- of the first state; the entry that led to it is forgotten, too
  hash INTEGER NOT NULL,               -- that of this entry, from which the hash of the next one goes on
  at INTEGER NOT NULL,                 -- the time of this entry
  origin INTEGER NOT NULL,             -- the hash of the unchanging part of the session, from which its first entry went on
  label TEXT,                          -- the session's; the entry that set it is forgotten
  manual INTEGER NOT NULL,             -- as in `sessions`
  journal INTEGER NOT NULL,            -- of the bytes that `snapshots.journal` counts, those that are forgotten
  "check" INTEGER NOT NULL
) STRICT;

-- Forgotten entries that are still to be erased, newest first. A session can have several rows.
CREATE TABLE forgotten (
  session INTEGER NOT NULL,
  entry INTEGER NOT NULL,              -- the next one; 0: none is left, but there may be snapshots
  PRIMARY KEY (session, entry)
) STRICT, WITHOUT ROWID;

-- The session's revision when the response was given; 0: unknown, as of all responses that were kept before.
ALTER TABLE responses ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
