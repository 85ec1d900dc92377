-- The revision with which the history of a session begins; 0: nothing is forgotten. The state is in `snapshots`.
ALTER TABLE @heads ADD COLUMN beginning bigint NOT NULL DEFAULT 0;

CREATE TABLE @beginnings (
  session bigint PRIMARY KEY,
  revision bigint NOT NULL,            -- of the first state; the entry that led to it is forgotten, too
  hash bigint NOT NULL,                -- that of this entry, from which the hash of the next one goes on
  at bigint NOT NULL,                  -- the time of this entry
  origin bigint NOT NULL               -- the hash of the unchanging part of the session, from which its first entry went on
);

-- Forgotten pages and snapshots that are still to be erased: those up to a revision.
CREATE TABLE @forgotten (
  session bigint,
  revision bigint,                     -- that of the beginning, whose snapshot stays
  PRIMARY KEY (session, revision)
);

-- The session's revision when the response was given; 0: unknown, as of all responses that were kept before.
ALTER TABLE @answers ADD COLUMN revision bigint NOT NULL DEFAULT 0;
