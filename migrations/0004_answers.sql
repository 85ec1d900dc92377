-- What was answered to requests that named a key, so that a repeat gets the same; and marks of messages that were taken. A row for a keyed
-- request alone: what names no key touches neither table nor index.
CREATE TABLE answers (
  number INTEGER PRIMARY KEY,          -- in the order in which they were given
  session INTEGER NOT NULL,            -- its number; 0: a creation, whose row outlives its session
  key BLOB NOT NULL,                   -- a hash of the caller's; of a creation that of the session's id
  print BLOB NOT NULL,                 -- a hash of the request
  until INTEGER NOT NULL,              -- it is forgotten then
  status INTEGER NOT NULL,             -- 0: there is no answer, only the mark that there was one
  head TEXT NOT NULL,                  -- a line for each field: name, colon, blank, value
  body BLOB NOT NULL,
  hole INTEGER                         -- where a secret stands in the body that is not kept; NULL: none
) STRICT;

CREATE UNIQUE INDEX answers_by_key ON answers (session, key);
