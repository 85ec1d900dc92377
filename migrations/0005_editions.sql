-- Since when an app is served with which definition: what the folder brought, and what operators put above it.
CREATE TABLE editions (
  number INTEGER PRIMARY KEY,          -- in the order in which they came
  app TEXT NOT NULL,
  definition TEXT NOT NULL REFERENCES definitions (hash),
  since INTEGER NOT NULL,
  author TEXT,                         -- the operator who put it; NULL: the folder's
  above TEXT                           -- of one that was put: the hash of what the folder had then; NULL: nothing
) STRICT;

CREATE INDEX editions_by_app ON editions (app, number);
